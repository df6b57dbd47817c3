#include "program/collectives/collective_choice.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "program/collectives/collective_choice_tables.h"

namespace parcast {

namespace {

using collective_tables::ChoiceRow;
using collective_tables::Sized;

constexpr std::uint64_t bytes_of_an_element = 8;

Sized sized_kind(CollectiveKind kind, bool is_varied) {
    switch (kind) {
        case CollectiveKind::barrier: return Sized::barrier;
        case CollectiveKind::broadcast: return Sized::broadcast;
        case CollectiveKind::reduce: return Sized::reduce;
        case CollectiveKind::allreduce: return Sized::allreduce;
        case CollectiveKind::gather: return is_varied ? Sized::varied_gather : Sized::gather;
        case CollectiveKind::scatter: return is_varied ? Sized::varied_scatter : Sized::scatter;
        case CollectiveKind::allgather: return is_varied ? Sized::varied_allgather : Sized::allgather;
        case CollectiveKind::alltoall: return is_varied ? Sized::varied_alltoall : Sized::alltoall;
        case CollectiveKind::reduce_scatter:
            return is_varied ? Sized::reduce_scatter : Sized::even_reduce_scatter;
        case CollectiveKind::scan:
        case CollectiveKind::exclusive_scan: break;
    }
    return Sized::scan;
}

template <class Rows>
CollectiveAlgorithm first_that_fits(Rows const& rows, Sized sized, std::uint32_t ranks, std::uint64_t bytes) {
    auto const found = std::ranges::find_if(rows, [&](ChoiceRow const& row) {
        bool const is_below = bytes < row.bytes_below || row.bytes_below == collective_tables::any_size;
        return row.sized == sized && ranks < row.ranks_below && is_below &&
               (!row.is_for_powers_of_two || std::has_single_bit(ranks));
    });
    return found->algorithm;  // each kind has a row for any number and size
}

CollectiveAlgorithm of_open_mpi(CollectiveKind kind, CollectiveSize const& size) {
    // A reduce-scatter with block sizes is chosen by all blocks.
    auto const bytes =
        kind == CollectiveKind::reduce_scatter && size.is_varied ? size.bytes * size.ranks : size.bytes;
    return first_that_fits(collective_tables::open_mpi_rows, sized_kind(kind, size.is_varied), size.ranks,
                           bytes);
}

CollectiveAlgorithm of_mpich(CollectiveKind kind, CollectiveSize const& size) {
    // These two are chosen by all blocks, whatever the size of each.
    bool const is_of_blocks = kind == CollectiveKind::allgather || kind == CollectiveKind::reduce_scatter;
    auto const sized = kind == CollectiveKind::allgather        ? Sized::allgather
                       : kind == CollectiveKind::reduce_scatter ? Sized::reduce_scatter
                                                                : sized_kind(kind, size.is_varied);
    auto const bytes = is_of_blocks ? size.bytes * size.ranks : size.bytes;
    auto const algorithm = first_that_fits(collective_tables::mpich_rows, sized, size.ranks, bytes);
    // Each rank of a halving has an element or more.
    if (algorithm == CollectiveAlgorithm::rabenseifner &&
        size.bytes / bytes_of_an_element < std::bit_floor(size.ranks))
        return kind == CollectiveKind::reduce ? CollectiveAlgorithm::binomial
                                              : CollectiveAlgorithm::recursive_doubling;
    return algorithm;
}

std::string names_of_kinds() {
    std::string names;
    for (auto const& row : collective_kinds)
        names += std::string(names.empty() ? "" : ", ") + std::string(row.name);
    return names;
}

std::string names_of_algorithms(CollectiveKind kind) {
    std::string names;
    for (auto const algorithm : algorithms_of(kind))
        names += std::string(names.empty() ? "" : ", ") + std::string(name_of(algorithm));
    return names;
}

Result<void> read_part(std::string_view part, CollectiveChoice& choice) {
    if (auto const library = std::ranges::find(collective_libraries, part);
        library != collective_libraries.end()) {
        choice.library = static_cast<CollectiveLibrary>(library - collective_libraries.begin());
        return {};
    }
    auto const sign = part.find('=');
    auto const kind = std::ranges::find(collective_kinds, part.substr(0, sign), &CollectiveKindRow::name);
    if (kind == collective_kinds.end() || sign == std::string_view::npos)
        return fail(ErrorCode::unasked, "'" + std::string(part) +
                                            "' is not open-mpi, mpich or KIND=ALGORITHM with one of " +
                                            names_of_kinds());
    auto const algorithms = algorithms_of(kind->kind);
    auto const name = part.substr(sign + 1);
    auto const algorithm = std::ranges::find(algorithms, name, [](auto each) { return name_of(each); });
    if (algorithm == algorithms.end())
        return fail(ErrorCode::unasked, std::string(kind->name) + " has no algorithm '" + std::string(name) +
                                            "', but " + names_of_algorithms(kind->kind));
    choice.given[static_cast<std::size_t>(kind->kind)] = *algorithm;
    return {};
}

}  // namespace

Result<CollectiveChoice> parse_collective_choice(std::string_view text) {
    CollectiveChoice choice;
    for (;;) {
        auto const end = text.find(',');
        if (auto const read = read_part(text.substr(0, end), choice); !read)
            return pass_on(read);
        if (end == std::string_view::npos)
            return choice;
        text.remove_prefix(end + 1);
    }
}

std::string collective_choice_text(CollectiveChoice const& choice) {
    std::string text(collective_libraries[static_cast<std::size_t>(choice.library)]);
    for (auto const& row : collective_kinds)
        if (auto const& algorithm = choice.given[static_cast<std::size_t>(row.kind)])
            text += "," + std::string(row.name) + "=" + std::string(name_of(*algorithm));
    return text;
}

CollectiveAlgorithm chosen_algorithm(CollectiveChoice const& choice, CollectiveKind kind,
                                     CollectiveSize const& size) {
    if (auto const& given = choice.given[static_cast<std::size_t>(kind)])
        return *given;
    return choice.library == CollectiveLibrary::mpich ? of_mpich(kind, size) : of_open_mpi(kind, size);
}

}  // namespace parcast
