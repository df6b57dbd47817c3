// Which operations wait for a given one, and when the last one that they wait for is over: an index of the
// precedences of a message program by the operation that is waited for.
//
// A rank goes through its operations nearly in the order of the list, so no index by operation is kept: the
// place of the last look-up of each rank is, and the next one is near it.
//
// Cost: to make, O(operations); memory 4 bytes a precedence, 1 an operation if there are precedences.

#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "program/message_program.h"

namespace parcast::simulate {

class Followers {
public:
    explicit Followers(MessageProgram const& program);

    bool has_any() const { return !by_earlier_.empty(); }
    bool has_starts() const { return has_starts_; }
    // None of what it waits for is over, and there is something. REQUIRES: has_any().
    bool waits(std::uint32_t operation) const { return open_[operation] > 0; }

    // Something that each of these waits for is over (or, `is_start`, has begun): calls
    // on_over(operation, whether it was the last) for those that wait for `earlier`. REQUIRES: has_any().
    template <class OnOver>
    void is_over(std::uint32_t rank, std::uint32_t earlier, bool is_start, OnOver&& on_over) {
        for (auto place = find(rank, earlier); place < first_[rank + 1]; ++place) {
            auto const& precedence = precedence_at(place);
            if (precedence.earlier != earlier)
                return;
            if ((precedence.is_start != 0) == is_start)
                on_over(precedence.later, count_down(precedence.later));
        }
    }

private:
    Precedence const& precedence_at(std::uint32_t place) const {
        return program_.precedences[by_earlier_[place]];
    }

    static constexpr std::uint8_t many = 255;
    void count_up(std::uint32_t operation) {
        if (open_[operation] == many)
            ++open_many_[operation];
        else if (++open_[operation] == many)
            open_many_[operation] = many;
    }
    // Whether it was the last.
    bool count_down(std::uint32_t operation) {
        if (open_[operation] != many)
            return --open_[operation] == 0;
        if (--open_many_[operation] < many) {
            open_many_.erase(operation);
            --open_[operation];
        }
        return false;
    }

    // The first of the rank's whose earlier operation is not before this one.
    std::uint32_t find(std::uint32_t rank, std::uint32_t earlier) {
        auto& place = last_[rank];
        auto const end = first_[rank + 1];
        if (place == first_[rank] || precedence_at(place - 1).earlier < earlier) {
            constexpr std::uint32_t near = 8;
            for (auto const stop = std::min(end, place + near); place < stop; ++place)
                if (precedence_at(place).earlier >= earlier)
                    return place;
            if (place == end)
                return place;
        }
        auto const all = std::span(by_earlier_);
        auto const found = std::ranges::lower_bound(
            all.subspan(first_[rank], end - first_[rank]), earlier, {},
            [this](std::uint32_t each) { return program_.precedences[each].earlier; });
        return place = static_cast<std::uint32_t>(found - all.begin());
    }

    MessageProgram const& program_;          // the caller's
    std::vector<std::uint32_t> by_earlier_;  // into the program's precedences
    std::vector<std::uint32_t> first_;       // by rank, into by_earlier_, and its size at the end
    std::vector<std::uint32_t> last_;        // by rank: the last look-up
    // By operation: so many precedences are not over; `many`: the number is in `open_many_`.
    std::vector<std::uint8_t> open_;
    std::unordered_map<std::uint32_t, std::uint32_t> open_many_;
    bool has_starts_ = false;
};

}  // namespace parcast::simulate
