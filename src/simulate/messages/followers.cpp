#include "simulate/messages/followers.h"

namespace parcast::simulate {

// Counting sort by rank, in which precedences of a rank already lie together.
Followers::Followers(MessageProgram const& program) : program_(program) {
    auto const& all = program.precedences;
    if (all.empty())
        return;
    by_earlier_.resize(all.size());
    open_.resize(program.operations());
    first_.reserve(program.ranks() + 1);
    first_.push_back(0);
    std::vector<std::uint32_t> next;  // by operation of the rank: where the next one that waits for it goes
    std::uint32_t end = 0;
    for (std::uint32_t rank = 0; rank < program.ranks(); ++rank) {
        auto const begin = end;
        auto const offset = program.first_operation[rank];
        auto const beyond = program.first_operation[rank + 1];
        next.assign(beyond - offset + 1, 0);
        for (; end < all.size() && all[end].later < beyond; ++end) {
            ++next[all[end].earlier - offset + 1];
            count_up(all[end].later);
            has_starts_ = has_starts_ || all[end].is_start != 0;
        }
        next[0] = begin;
        for (std::size_t each = 1; each < next.size(); ++each)
            next[each] += next[each - 1];
        for (auto each = begin; each < end; ++each)
            by_earlier_[next[all[each].earlier - offset]++] = each;
        first_.push_back(end);
    }
    last_.assign(first_.begin(), first_.end() - 1);
}

}  // namespace parcast::simulate
