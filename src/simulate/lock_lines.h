// Where the cache line of each lock is, and how long a processor waits for it. Every lock and unlock writes
// the word of the lock, also of those that only read under it, so the line goes from processor to processor
// and is in one place at a time: what several processors want at the same moment they get one after the
// other.
//
// (1) A line takes `hand_over` from one processor to another. For the first half of that it is still where it
//     was: its owner uses it as before, until the request has come. So two processors that do nothing but
//     take one lock take it half as often, together, as one of them alone would.
// (2) A line that is on its way is asked for on its arrival, and stays for half of a hand-over at least.
// (3) A line that nobody used for `hot_for` hand-overs costs nothing: where it was measured, some were as
//     dear after a microsecond and some were free (docs/decisions/2026-11-29-hot-locks.md).
//
// Cost: O(1) an operation; 24 bytes an object.

#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/id.h"

namespace parcast::simulate {

class LockLines {
public:
    static constexpr std::int64_t hot_for = 8;

    // Nothing costs anything if a hand-over takes no time, or if there is nobody to hand over to.
    LockLines(std::size_t locks, std::uint32_t processors, std::int64_t hand_over_ns)
        : hand_over_ns_(processors > 1 ? hand_over_ns : 0),
          lines_(cost_something() ? locks : 0),
          left_(cost_something() ? processors : 0) {}

    bool cost_something() const { return hand_over_ns_ > 0; }

    // The processor uses the line from now on: so long until it has it.
    // REQUIRES: cost_something(); `now` does not fall from call to call.
    std::int64_t wait_ns(ObjectId lock, std::uint32_t processor, std::int64_t now) {
        auto& line = lines_[lock.index()];
        if (line.at == processor) {
            line.used = std::max(now, line.arrives);
            return line.used - now;
        }
        if (auto const& left = left_[processor]; left.lock == lock && now < left.when)
            return 0;
        line.arrives = now;
        if (line.at != nowhere && now - line.used <= hot_for * hand_over_ns_) {
            auto const leaves = std::max(now, line.used) + hand_over_ns_ / 2;
            left_[line.at] = {leaves, lock};
            line.arrives = leaves + hand_over_ns_ - hand_over_ns_ / 2;
        }
        line.at = processor;
        line.used = line.arrives;
        return line.arrives - now;
    }

private:
    static constexpr std::uint32_t nowhere = UINT32_MAX;

    struct Line {
        std::int64_t arrives = 0;  // where it is, or on its way to
        std::int64_t used = 0;     // there, last
        std::uint32_t at = nowhere;
    };
    struct Departure {
        std::int64_t when = 0;
        ObjectId lock = ObjectId::none();
    };

    std::int64_t hand_over_ns_;
    std::vector<Line> lines_;      // by object
    std::vector<Departure> left_;  // by processor: the line that it lost last
};

}  // namespace parcast::simulate
