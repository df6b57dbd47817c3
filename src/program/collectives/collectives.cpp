#include "program/collectives/collectives.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>

namespace parcast {

namespace {

// A collective operation, as its first rank calls it and as all do.
struct CalledCollective {
    std::uint32_t first_rank = 0;
    std::uint32_t first_operation = 0;
    std::vector<std::uint32_t> calls = {};  // by place in the communicator: into MessageProgram::collectives
    CollectiveInstance instance = {};
};

struct CalledCommunicator {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> places =
        {};                                // by rank, rising: its place; all ranks: none
    std::vector<std::uint32_t> next = {};  // by place: which one it calls next
    std::vector<CalledCollective> collectives = {};
};

class CollectiveLowering {
public:
    CollectiveLowering(MessageProgram const& program, CollectiveChoice const& choice,
                       std::size_t most_lowered)
        : program_(program), choice_(choice), most_lowered_(std::min(most_lowered, most_operations)) {}

    Result<LoweredProgram> run() {
        find_communicators();
        if (!find_collectives() || !check_completeness() || !choose() || !find_tags())
            return tl::unexpected<Error>(std::move(*error_));
        for (auto& communicator : communicators_)
            std::ranges::fill(communicator.next, 0);
        for (std::uint32_t rank = 0; rank < program_.ranks(); ++rank)
            if (!add_rank(rank))
                return tl::unexpected<Error>(std::move(*error_));
        LoweredProgram result{std::move(builder_).finish(), {}};
        result.program.name = program_.name;
        result.program.names = program_.names;
        result.program.assumptions = program_.assumptions;
        if (std::ranges::find(program_.tag, any_tag) != program_.tag.end())
            result.program.assumptions.emplace_back(
                "a receive of any tag may take a message of a collective operation");
        for (auto const& [which, operations] : used_)
            result.used.push_back({which.first, which.second, operations});
        return result;
    }

private:
    void find_communicators() {
        communicators_.resize(std::max<std::size_t>(1, program_.communicators.size()));
        communicators_[0].next.resize(program_.ranks());
        for (std::size_t each = 1; each < communicators_.size(); ++each) {
            auto const& ranks = program_.communicators[each];
            for (std::uint32_t place = 0; place < ranks.size(); ++place)
                communicators_[each].places.emplace_back(ranks[place], place);
            std::ranges::sort(communicators_[each].places);
            communicators_[each].next.resize(ranks.size());
        }
    }

    std::uint32_t size_of(std::uint32_t communicator) const {
        return static_cast<std::uint32_t>(communicators_[communicator].next.size());
    }

    // None: the rank is not in it.
    std::optional<std::uint32_t> place_of(std::uint32_t communicator, std::uint32_t rank) const {
        if (communicator == 0)
            return rank < program_.ranks() ? std::optional(rank) : std::nullopt;
        auto const& places = communicators_[communicator].places;
        auto const found =
            std::ranges::lower_bound(places, rank, {}, [](auto const& each) { return each.first; });
        return found == places.end() || found->first != rank ? std::nullopt : std::optional(found->second);
    }

    template <class Visit>
    bool for_each_call(Visit visit) {
        for (std::uint32_t rank = 0; rank < program_.ranks(); ++rank)
            for (auto each = program_.first_operation[rank]; each < program_.first_operation[rank + 1];
                 ++each)
                if (program_.kind[each].operation() == MessageOperation::collective && !visit(rank, each))
                    return false;
        return true;
    }

    bool find_collectives() {
        return for_each_call([&](std::uint32_t rank, std::uint32_t operation) {
            auto const call = static_cast<std::uint32_t>(program_.amount[operation]);
            auto const which = program_.collectives[call].communicator;
            if (which >= communicators_.size())
                return complain(place_text(rank, operation) + " is of communicator " + std::to_string(which) +
                                ", which the program does not have");
            auto& communicator = communicators_[which];
            auto const place = place_of(which, rank);
            if (!place)
                return complain(place_text(rank, operation) + " is a collective operation of communicator " +
                                std::to_string(which) + ", which the rank is not in");
            auto const number = communicator.next[*place]++;
            if (number == communicator.collectives.size()) {
                communicator.collectives.push_back({rank, operation});
                communicator.collectives.back().calls.assign(size_of(which), no_call);
            }
            auto& collective = communicator.collectives[number];
            collective.calls[*place] = call;
            return is_same(collective, program_.collectives[call], rank, operation);
        });
    }

    // Ranks must agree on it with the rank that came first.
    bool is_same(CalledCollective const& collective, CollectiveCall const& call, std::uint32_t rank,
                 std::uint32_t operation) {
        auto const& first = program_.collectives[program_.amount[collective.first_operation]];
        auto const differ = [&](std::string const& own, std::string const& other) {
            return complain(place_text(rank, operation) + " calls " + own + ", and " +
                            place_text(collective.first_rank, collective.first_operation) + " calls " +
                            other + "; all ranks call collective operations in the same order");
        };
        auto const name = std::string(row_of(call.kind).name);
        if (call.kind != first.kind)
            return differ(name, std::string(row_of(first.kind).name));
        if (row_of(call.kind).has_root && call.root != first.root)
            return differ(name + " with root " + std::to_string(call.root),
                          "it with root " + std::to_string(first.root));
        if (has_one_buffer(call.kind) && call.sent_bytes != first.sent_bytes)
            return differ(name + " of " + std::to_string(call.sent_bytes) + " bytes",
                          "it of " + std::to_string(first.sent_bytes));
        return true;
    }

    static bool has_one_buffer(CollectiveKind kind) {
        switch (kind) {
            case CollectiveKind::broadcast:
            case CollectiveKind::reduce:
            case CollectiveKind::allreduce:
            case CollectiveKind::reduce_scatter:
            case CollectiveKind::scan:
            case CollectiveKind::exclusive_scan: return true;
            case CollectiveKind::barrier:
            case CollectiveKind::gather:
            case CollectiveKind::scatter:
            case CollectiveKind::allgather:
            case CollectiveKind::alltoall: break;
        }
        return false;
    }

    bool check_completeness() {
        for (std::uint32_t which = 0; which < communicators_.size(); ++which) {
            auto const& communicator = communicators_[which];
            for (std::uint32_t place = 0; place < communicator.next.size(); ++place) {
                auto const number = communicator.next[place];
                if (number == communicator.collectives.size())
                    continue;
                auto const& left_out = communicator.collectives[number];
                auto const& call = program_.collectives[program_.amount[left_out.first_operation]];
                return complain("rank " + std::to_string(rank_at(which, place)) + " leaves out the " +
                                std::string(row_of(call.kind).name) + " that is " +
                                place_text(left_out.first_rank, left_out.first_operation));
            }
        }
        return true;
    }

    std::uint32_t rank_at(std::uint32_t communicator, std::uint32_t place) const {
        return communicator == 0 ? place : program_.communicators[communicator][place];
    }

    bool choose() {
        for (std::uint32_t which = 0; which < communicators_.size(); ++which)
            for (auto& collective : communicators_[which].collectives) {
                if (!make_instance(which, collective))
                    return false;
                collective.calls = {};  // as large as its communicator
                ++used_[{collective.instance.kind, collective.instance.algorithm}];
            }
        return true;
    }

    bool make_instance(std::uint32_t which, CalledCollective& collective) {
        auto& instance = collective.instance;
        auto const& first = program_.collectives[collective.calls[0]];
        instance.kind = first.kind;
        instance.ranks = size_of(which);
        instance.reduce_ns = first.reduce_ns;
        if (row_of(first.kind).has_root) {
            auto const root = place_of(which, first.root);
            if (!root)
                return complain(place_text(collective.first_rank, collective.first_operation) + " has rank " +
                                std::to_string(first.root) +
                                " as its root, which is not in its communicator");
            instance.root = *root;
        }
        CollectiveSize size{.ranks = instance.ranks};
        bool const fits = first.kind == CollectiveKind::alltoall ? cut_exchange(collective, size)
                                                                 : cut_buffer(collective, size);
        if (!fits)
            return complain(place_text(collective.first_rank, collective.first_operation) +
                                " moves more than " + std::to_string(most_amount) + " bytes in all",
                            ErrorCode::out_of_range);
        instance.algorithm = existing_algorithm(first.kind, chosen_algorithm(choice_, first.kind, size),
                                                instance.ranks, size.is_varied);
        choose_halves(instance);
        return true;
    }

    // False: they are too many bytes.
    bool cut_buffer(CalledCollective& collective, CollectiveSize& size) {
        auto& instance = collective.instance;
        auto const sizes = block_sizes(collective);
        if (sizes.empty()) {
            instance.bytes = program_.collectives[collective.calls[0]].sent_bytes;
            instance.blocks = CollectiveBlocks(instance.bytes, instance.ranks);
            size.bytes = instance.kind == CollectiveKind::reduce_scatter ? instance.bytes / instance.ranks
                                                                         : instance.bytes;
            return instance.bytes <= most_amount;
        }
        size.is_varied = std::ranges::adjacent_find(sizes, std::ranges::not_equal_to{}) != sizes.end();
        std::uint64_t all = 0;
        for (auto const each : sizes) {
            if (each > most_amount - all)
                return false;
            all += each;
        }
        instance.bytes = all;
        instance.blocks = CollectiveBlocks(sizes);
        size.bytes = all / instance.ranks;
        return true;
    }

    // By place; empty: one buffer.
    std::vector<std::uint64_t> block_sizes(CalledCollective const& collective) const {
        auto const& calls = collective.calls;
        auto const kind = collective.instance.kind;
        if (kind == CollectiveKind::barrier)
            return {};
        auto const& given = program_.collectives[calls[collective.instance.root]].bytes_by_rank;
        bool const is_given = given.size() == calls.size() &&
                              (kind == CollectiveKind::reduce_scatter || kind == CollectiveKind::scatter);
        if (is_given)
            return given;
        if (has_one_buffer(kind))
            return {};
        std::vector<std::uint64_t> sizes;
        for (auto const call : calls)
            sizes.push_back(kind == CollectiveKind::scatter ? program_.collectives[call].received_bytes
                                                            : program_.collectives[call].sent_bytes);
        return sizes;
    }

    bool cut_exchange(CalledCollective& collective, CollectiveSize& size) {
        auto& exchanged = collective.instance.exchanged;
        std::uint64_t all = 0;
        bool is_same = true;
        for (auto const number : collective.calls) {
            auto const& call = program_.collectives[number];
            bool const is_given = call.bytes_by_rank.size() == collective.calls.size();
            exchanged.push_back(is_given ? std::span(call.bytes_by_rank) : std::span(&call.sent_bytes, 1));
            is_same = is_same && !is_given && call.sent_bytes == exchanged.front().front();
            for (auto const each : exchanged.back()) {
                if (each > (most_amount - all) / collective.calls.size())
                    return false;
                all += each;
            }
        }
        if (is_same)
            exchanged.resize(1);
        size.is_varied = !is_same;
        size.bytes = exchanged.front().front();
        return true;
    }

    // The operations that it is made of are chosen as if they stood alone.
    void choose_halves(CollectiveInstance& instance) const {
        if (instance.algorithm != CollectiveAlgorithm::non_overlapping)
            return;
        auto const chosen = [&](CollectiveKind kind, std::uint64_t bytes) {
            return chosen_algorithm(choice_, kind, {.ranks = instance.ranks, .bytes = bytes});
        };
        bool const gathers = instance.kind == CollectiveKind::allgather;
        auto const block = instance.bytes / instance.ranks;
        instance.first_half =
            gathers ? chosen(CollectiveKind::gather, block) : chosen(CollectiveKind::reduce, instance.bytes);
        instance.second_half = instance.kind == CollectiveKind::reduce_scatter
                                   ? chosen(CollectiveKind::scatter, block)
                                   : chosen(CollectiveKind::broadcast, instance.bytes);
    }

    // One for each communicator, above all tags of the program.
    bool find_tags() {
        std::uint32_t highest = 0;
        for (std::size_t each = 0; each < program_.operations(); ++each) {
            auto const operation = program_.kind[each].operation();
            bool const has_tag =
                operation == MessageOperation::send || operation == MessageOperation::receive;
            if (has_tag && program_.tag[each] != any_tag)
                highest = std::max(highest, program_.tag[each]);
        }
        if (highest >= any_tag - communicators_.size() - 1)
            return complain("the program uses tag " + std::to_string(highest) +
                                ", which leaves none above it for its collective operations",
                            ErrorCode::out_of_range);
        first_tag_ = highest + 1;
        return true;
    }

    bool add_rank(std::uint32_t rank) {
        auto const first = program_.first_operation[rank];
        auto const end = program_.first_operation[rank + 1];
        added_.assign(end - first, {});
        ends_.clear();
        for (auto each = first; each < end; ++each) {
            add_operation(rank, each);
            if (builder_.operations() > most_lowered_)
                return complain_of_number(rank, each);
            wait_as(first, each);
        }
        for (auto const& each : std::exchange(forward_, {}))
            wait(first, each);
        builder_.end_rank();
        return true;
    }

    bool complain_of_number(std::uint32_t rank, std::uint32_t each) {
        std::string what = "the program";
        if (program_.kind[each].operation() == MessageOperation::collective) {
            auto const& call = program_.collectives[program_.amount[each]];
            auto const size = size_of(call.communicator);
            what = "with the " + std::string(row_of(call.kind).name) + " of " + std::to_string(size) +
                   " ranks that is " + place_text(rank, each) + " as messages, the program";
        }
        return complain(what + " has more than " + std::to_string(most_lowered_) +
                            " operations; other algorithms have fewer messages",
                        ErrorCode::out_of_range);
    }

    // What an operation has become: where it begins, and what must have ended for it to have.
    struct Added {
        std::uint32_t begin = 0;
        std::uint32_t first_end = 0;  // into ends_
        std::uint32_t end_count = 0;
    };

    void add_operation(std::uint32_t rank, std::uint32_t each) {
        auto& added = added_[each - program_.first_operation[rank]];
        added.begin = static_cast<std::uint32_t>(builder_.operations());
        added.first_end = static_cast<std::uint32_t>(ends_.size());
        auto const kind = program_.kind[each];
        if (kind.operation() == MessageOperation::collective) {
            add_calls(rank, each);
        } else {
            builder_.add({.operation = kind.operation(),
                          .amount = program_.amount[each],
                          .peer = program_.peer[each],
                          .tag = program_.tag[each],
                          .cpu = static_cast<std::uint8_t>(program_.cpu_of(each)),
                          .nic = static_cast<std::uint8_t>(program_.nic_of(each)),
                          .is_synchronous = kind.is_synchronous(),
                          .name = program_.name_of.empty() ? std::uint16_t{0} : program_.name_of[each]});
            ends_.push_back(added.begin);
        }
        added.end_count = static_cast<std::uint32_t>(ends_.size()) - added.first_end;
    }

    void add_calls(std::uint32_t rank, std::uint32_t each) {
        auto const which = program_.collectives[program_.amount[each]].communicator;
        auto& communicator = communicators_[which];
        auto const place = *place_of(which, rank);
        auto const& collective = communicator.collectives[communicator.next[place]++];
        auto const first = static_cast<std::uint32_t>(builder_.operations());
        CallingOrder order(builder_);
        add_collective(
            collective.instance,
            {.rank = place,
             .members = which == 0 ? std::span<std::uint32_t const>() : program_.communicators[which],
             .tag = first_tag_ + which,
             .cpu = static_cast<std::uint8_t>(program_.cpu_of(each)),
             .nic = static_cast<std::uint8_t>(program_.nic_of(each))},
            builder_, order);
        builder_.mark_collective(first);
        for (auto const end : order.awaited())
            ends_.push_back(end);
    }

    // Precedences on operations that come later in the list are added when those are.
    void wait_as(std::uint32_t first, std::uint32_t each) {
        if (program_.kind[each].follows() == Follows::one_before)
            wait(first, {each, each - 1, false});
        auto const& all = program_.precedences;
        while (next_precedence_ < all.size() && all[next_precedence_].later < each)
            ++next_precedence_;
        for (; next_precedence_ < all.size() && all[next_precedence_].later == each; ++next_precedence_)
            if (all[next_precedence_].earlier < each)
                wait(first, all[next_precedence_]);
            else
                forward_.push_back(all[next_precedence_]);
    }

    void wait(std::uint32_t first, Precedence const& precedence) {
        auto const& later = added_[precedence.later - first];
        auto const& earlier = added_[precedence.earlier - first];
        if (precedence.is_start)
            builder_.wait(later.begin, earlier.begin, true);
        else
            for (auto i = earlier.first_end; i < earlier.first_end + earlier.end_count; ++i)
                builder_.wait(later.begin, ends_[i]);
    }

    std::string place_text(std::uint32_t rank, std::uint32_t operation) const {
        auto const text = "rank " + std::to_string(rank) + ", operation " +
                          std::to_string(operation - program_.first_operation[rank]);
        auto const line =
            std::ranges::lower_bound(program_.collective_lines, operation, {}, &CollectiveLine::operation);
        bool const has_line = line != program_.collective_lines.end() && line->operation == operation;
        if (!has_line)
            return text;
        auto const file = line->file < program_.files.size() ? program_.files[line->file] + ", " : "";
        return text + " (" + file + "line " + std::to_string(line->line) + ")";
    }

    bool complain(std::string message, ErrorCode code = ErrorCode::inconsistent) {
        error_ = Error{code, std::move(message), std::nullopt};
        if (code == ErrorCode::inconsistent)
            error_->advice =
                "Make every rank of a communicator call the same operations, with the same root and size, in "
                "the same order: docs/formats/messages.md.";
        return false;
    }

    static constexpr std::uint32_t no_call = ~std::uint32_t{0};

    MessageProgram const& program_;
    CollectiveChoice choice_;
    std::size_t most_lowered_;
    std::vector<CalledCommunicator> communicators_;
    std::map<std::pair<CollectiveKind, CollectiveAlgorithm>, std::uint64_t> used_;
    std::uint32_t first_tag_ = 0;
    MessageProgramBuilder builder_;
    std::size_t next_precedence_ = 0;
    std::optional<Error> error_;

    // For the rank that is being added.
    std::vector<Added> added_;
    std::vector<std::uint32_t> ends_;
    std::vector<Precedence> forward_;
};

}  // namespace

bool has_collectives(MessageProgram const& program) {
    return std::ranges::any_of(
        program.kind, [](MessageKind kind) { return kind.operation() == MessageOperation::collective; });
}

Result<LoweredProgram> lowered(MessageProgram const& program, CollectiveChoice const& choice,
                               std::size_t most_lowered) {
    return CollectiveLowering(program, choice, most_lowered).run();
}

}  // namespace parcast
