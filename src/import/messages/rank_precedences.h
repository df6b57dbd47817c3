// What each operation of a rank waits for, whether it is a mark or a precedence.

#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "program/message_program.h"

namespace parcast {

class RankPrecedences {
public:
    // The program is a loan.
    explicit RankPrecedences(MessageProgram const& program) : program_(&program) {}

    // To the operations of another rank. Ranks come in their order.
    void go_to(std::uint32_t rank) {
        auto const& all = program_->precedences;
        auto const first = program_->first_operation[rank];
        auto const end = program_->first_operation[rank + 1];
        while (next_ < all.size() && all[next_].later < first)
            ++next_;
        first_ = first;
        begin_.assign(end - first + std::size_t{1}, next_);
        has_forward_ = false;
        for (auto each = first; each < end; ++each) {
            for (; next_ < all.size() && all[next_].later == each; ++next_)
                has_forward_ = has_forward_ || all[next_].earlier > each;
            begin_[each - first + 1] = next_;
        }
    }

    // A loan until the next call.
    std::span<Precedence const> of(std::uint32_t operation) {
        if (program_->kind[operation].follows() == Follows::one_before) {
            before_ = {operation, operation - 1, false};
            return {&before_, 1};
        }
        auto const place = operation - first_;
        return std::span(program_->precedences).subspan(begin_[place], begin_[place + 1] - begin_[place]);
    }

    // Whether an operation of the rank waits for one that is listed behind it.
    bool has_forward() const { return has_forward_; }

private:
    MessageProgram const* program_;
    std::uint32_t first_ = 0;
    std::size_t next_ = 0;
    std::vector<std::size_t> begin_;
    bool has_forward_ = false;
    Precedence before_;
};

}  // namespace parcast
