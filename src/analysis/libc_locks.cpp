#include "analysis/libc_locks.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <string>
#include <string_view>

#include "core/catalogue.h"
#include "core/counted.h"
#include "core/path.h"
#include "core/percent_text.h"

namespace parcast::analysis {

namespace {

// Shares of the CPU time. A hand-over of a futex between two CPUs takes some microseconds
// (docs/calibrate.md).
constexpr double notable_share = 0.05;
constexpr double doubtful_share = 0.1;
constexpr double hand_over_ns = 2'000;

double share_of(double part_ns, Duration whole) {
    return part_ns / std::max(1.0, to_real(whole).ns);
}

std::optional<Finding> shared_stream(Catalogue const& catalogue, Survey const& survey) {
    ObjectProfile const* most = nullptr;
    for (ObjectProfile const& row : survey.profile.objects)
        if (is_stream_lock(catalogue.objects[row.object.index()]) &&
            (most == nullptr || row.held_total > most->held_total))
            most = &row;
    if (most == nullptr)
        return std::nullopt;
    double const held = share_of(to_real(most->held_total).ns, survey.cpu());
    double const handing = share_of(static_cast<double>(most->operations) * hand_over_ns, survey.cpu());
    if (std::max(held, handing) < notable_share)
        return std::nullopt;
    return Finding{
        FindingKind::libc_locks, handing < doubtful_share ? Severity::note : Severity::warning,
        "Threads share the " + display_name(catalogue, most->object) +
            ", whose lock the C library takes in each call: " + count_text(most->operations) +
            " times, for " + percent_text(held) +
            " of the CPU time. Where several CPUs want it at the same moment, handing it over takes longer "
            "than a short call. Give each thread a stream or a buffer of its own and write whole buffers, or "
            "take the lock once for many calls (flockfile, and calls that end in _unlocked).",
        ThreadId::none(), catalogue.objects[most->object.index()].first_site};
}

std::optional<std::int64_t> number_in(std::string_view text) {
    std::int64_t number = 0;
    auto const read = std::from_chars(text.data(), text.data() + text.size(), number);
    return read.ec == std::errc() && number >= 0 ? std::optional(number) : std::nullopt;
}

// "name=value:name=value"
std::optional<std::int64_t> arenas_in_tunables(std::string_view text) {
    constexpr std::string_view name = "glibc.malloc.arena_max=";
    auto const at = text.find(name);
    return at == std::string_view::npos ? std::nullopt : number_in(text.substr(at + name.size()));
}

bool has_other_allocator(Provenance const& provenance) {
    constexpr std::array names = {"libjemalloc", "libtcmalloc", "libmimalloc", "libtbbmalloc",
                                  "libhoard",    "librpmalloc", "libsnmalloc"};
    return std::ranges::any_of(provenance.modules, [&](Module const& module) {
        auto const file = file_name(module.path);
        return std::ranges::any_of(names, [&](char const* name) { return file.starts_with(name); });
    });
}

// Those that do more than wait and hand out work.
std::int64_t computing_threads(Survey const& survey) {
    return std::ranges::count_if(survey.profile.threads, [&](ThreadProfile const& thread) {
        return share_of(to_real(thread.cpu).ns, survey.cpu()) >= notable_share;
    });
}

std::optional<Finding> few_arenas(Provenance const& provenance, Survey const& survey) {
    auto const arenas = most_arenas(provenance);
    std::int64_t const threads = computing_threads(survey);
    if (!arenas || *arenas >= threads || threads < 2 || has_other_allocator(provenance))
        return std::nullopt;
    bool const is_one = *arenas == 1;
    Finding found{FindingKind::libc_locks, is_one ? Severity::warning : Severity::note,
                  counted(threads, "thread computes", "threads compute") +
                      ", and the C library's malloc may have " + counted(*arenas, "arena", "arenas") +
                      " (MALLOC_ARENA_MAX, GLIBC_TUNABLES or mallopt). Allocations are not recorded: if "
                      "threads make many, they wait for each other there, and more CPUs can make the program "
                      "slower. Allow more arenas, use another allocator (jemalloc, mimalloc, tcmalloc), or "
                      "allocate less often.",
                  ThreadId::none(), SiteId::none()};
    found.hidden_serial_share = is_one ? 1 : 0;
    // More threads, or CPUs, are no advice there.
    found.makes_worthless = is_one;
    return found;
}

}  // namespace

std::optional<std::int64_t> most_arenas(Provenance const& provenance) {
    std::optional<std::int64_t> from_call;
    std::optional<std::int64_t> from_tunables;
    std::optional<std::int64_t> from_variable;
    for (auto const& [name, value] : provenance.settings.value_or(std::vector<Setting>()))
        if (name == "mallopt(M_ARENA_MAX)")
            from_call = number_in(value);  // the last one counts
        else if (name == "GLIBC_TUNABLES")
            from_tunables = arenas_in_tunables(value);
        else if (name == "MALLOC_ARENA_MAX")
            from_variable = number_in(value);
    auto const asked = from_call ? from_call : from_tunables ? from_tunables : from_variable;
    return asked == 0 ? std::nullopt : asked;
}

void add_libc_locks(Timeline const& recorded, Survey const& survey, std::vector<Finding>& result) {
    if (auto finding = shared_stream(recorded.catalogue, survey))
        result.push_back(std::move(*finding));
    if (auto finding = few_arenas(recorded.provenance, survey))
        result.push_back(std::move(*finding));
}

}  // namespace parcast::analysis
