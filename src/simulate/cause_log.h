// Remembers who let whom go on, so that the critical path of a run can be told when it is over.
// Cost: 24 bytes a release; the path itself takes O(its hand-overs).

#pragma once

#include <cstdint>
#include <vector>

#include "core/id.h"
#include "timeline/path_segment.h"

namespace parcast::simulate {

class CauseLog {
public:
    explicit CauseLog(std::size_t threads) : latest_(threads, none) {}

    // `releaser` created `thread`, or ended its waiting: from now on the chain of causes of `releaser` is its
    // own.
    void goes_on(ThreadId thread, ThreadId releaser, std::int64_t now) {
        hand_overs_.push_back({.when_ns = now, .from = releaser, .before = latest_[releaser.index()]});
        latest_[thread.index()] = hand_overs_.size() - 1;
    }

    // The chain of causes that ends in `thread` at `end`.
    std::vector<PathSegment> path(ThreadId thread, Instant end) const;

private:
    static constexpr std::size_t none = static_cast<std::size_t>(-1);

    struct HandOver {
        std::int64_t when_ns;
        ThreadId from;
        std::size_t before;  // the hand-over that `from` itself went on by; none: it is the initial thread
    };

    std::vector<HandOver> hand_overs_;
    std::vector<std::size_t> latest_;  // by thread
};

}  // namespace parcast::simulate
