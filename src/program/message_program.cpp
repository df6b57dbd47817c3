#include "program/message_program.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

namespace parcast {

namespace {

class MessageProgramChecker {
public:
    explicit MessageProgramChecker(MessageProgram const& program) : program_(program) {}

    Result<void> run() {
        if (auto const complaint = of_columns())
            return fail(ErrorCode::inconsistent, *complaint);
        for (std::uint32_t rank = 0; rank < program_.ranks(); ++rank)
            if (auto const complaint = of_rank(rank))
                return fail(ErrorCode::inconsistent, *complaint);
        if (auto const complaint = of_precedences())
            return fail(ErrorCode::inconsistent, *complaint);
        return {};
    }

private:
    using Complaint = std::optional<std::string>;

    Complaint of_columns() const {
        auto const operations = program_.operations();
        if (operations > most_operations)
            return "there are more than " + std::to_string(most_operations) + " operations";
        auto const is_whole = [&](auto const& column) { return column.size() == operations; };
        auto const is_optional = [&](auto const& column) { return column.empty() || is_whole(column); };
        if (!is_whole(program_.amount) || !is_whole(program_.peer) || !is_whole(program_.tag) ||
            !is_optional(program_.cpu) || !is_optional(program_.nic) || !is_optional(program_.name_of))
            return "the columns of operations have different lengths";
        auto const& first = program_.first_operation;
        if (first.empty() || first.front() != 0 || first.back() != operations ||
            !std::ranges::is_sorted(first))
            return "the ranks do not divide the operations";
        return std::nullopt;
    }

    std::string place(std::uint32_t rank, std::uint32_t operation) const {
        return "rank " + std::to_string(rank) + ", operation " +
               std::to_string(operation - program_.first_operation[rank]);
    }

    Complaint of_rank(std::uint32_t rank) const {
        auto const first = program_.first_operation[rank];
        for (auto each = first; each < program_.first_operation[rank + 1]; ++each) {
            auto const kind = program_.kind[each];
            if (kind.follows() == Follows::one_before && each == first)
                return place(rank, each) + " follows the one before it, but is the first";
            if (auto complaint = of_operation(rank, each))
                return complaint;
        }
        return std::nullopt;
    }

    Complaint of_operation(std::uint32_t rank, std::uint32_t each) const {
        auto const peer = program_.peer[each];
        switch (program_.kind[each].operation()) {
            case MessageOperation::calc: break;
            case MessageOperation::receive:
                if (peer == any_peer)
                    break;
                [[fallthrough]];
            case MessageOperation::send:
                if (peer >= program_.ranks())
                    return place(rank, each) + ": there is no rank " + std::to_string(peer) +
                           "; the last one is rank " + std::to_string(program_.ranks() - 1);
                break;
            case MessageOperation::collective:
                if (program_.amount[each] >= program_.collectives.size())
                    return place(rank, each) + " is a collective that is not described";
                return std::nullopt;
        }
        if (program_.amount[each] > most_amount)
            return place(rank, each) + ": " + std::to_string(program_.amount[each]) + " is too large";
        if (!program_.name_of.empty() &&
            program_.name_of[each] >= std::max<std::size_t>(1, program_.names.size()))
            return place(rank, each) + " has a name that is not listed";
        return std::nullopt;
    }

    std::uint32_t rank_of(std::uint32_t operation) const {
        auto const next = std::ranges::upper_bound(program_.first_operation, operation);
        return static_cast<std::uint32_t>(next - program_.first_operation.begin()) - 1;
    }

    Complaint of_precedences() const {
        auto const& all = program_.precedences;
        auto const& first = program_.first_operation;
        bool only_backwards = true;
        std::uint32_t rank = 0;
        for (std::size_t i = 0; i < all.size(); ++i) {
            auto const& [later, earlier, is_start] = all[i];
            if (i > 0 && all[i - 1].later > later)
                return "the precedences are not in the order of the operations that wait";
            while (rank < program_.ranks() && first[rank + 1] <= later)
                ++rank;
            if (rank == program_.ranks() || earlier < first[rank] || earlier >= first[rank + 1])
                return "a precedence is between operations of different ranks";
            if (later == earlier)
                return place(rank, later) + " waits for itself";
            if (program_.kind[later].follows() != Follows::precedences)
                return place(rank, later) + " has precedences, but no mark of them";
            only_backwards = only_backwards && earlier < later;
        }
        return only_backwards ? std::nullopt : of_cycles();
    }

    // Kahn 1962: what is left over when nothing can start any more waits for itself.
    Complaint of_cycles() const {
        auto const operations = program_.operations();
        std::vector<std::uint32_t> waits(operations, 0);
        std::vector<std::uint32_t> first_later(operations + 1, 0);
        for (auto const& each : program_.precedences) {
            ++waits[each.later];
            ++first_later[each.earlier + 1];
        }
        for (std::size_t each = 0; each < operations; ++each)
            first_later[each + 1] += first_later[each];
        std::vector<std::uint32_t> later(program_.precedences.size());
        auto next = first_later;
        for (auto const& each : program_.precedences)
            later[next[each.earlier]++] = each.later;
        std::vector<std::uint32_t> ready;
        for (std::size_t each = 0; each < operations; ++each) {
            if (program_.kind[each].follows() == Follows::one_before)
                ++waits[each];
            if (waits[each] == 0)
                ready.push_back(static_cast<std::uint32_t>(each));
        }
        std::size_t done = 0;
        auto const release = [&](std::size_t each) {
            if (--waits[each] == 0)
                ready.push_back(static_cast<std::uint32_t>(each));
        };
        while (!ready.empty()) {
            auto const each = ready.back();
            ready.pop_back();
            ++done;
            if (each + 1 < operations && program_.kind[each + 1].follows() == Follows::one_before &&
                rank_of(each) == rank_of(each + 1))
                release(each + 1);
            for (auto i = first_later[each]; i < first_later[each + 1]; ++i)
                release(later[i]);
        }
        if (done == operations)
            return std::nullopt;
        auto const stuck = static_cast<std::uint32_t>(
            std::ranges::find_if(waits, [](std::uint32_t count) { return count > 0; }) - waits.begin());
        return place(rank_of(stuck), stuck) + " waits for itself, through those that it waits for";
    }

    MessageProgram const& program_;
};

}  // namespace

Result<void> check(MessageProgram const& program) {
    return MessageProgramChecker(program).run();
}

}  // namespace parcast
