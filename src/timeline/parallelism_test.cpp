#include "timeline/parallelism.h"

#include <gtest/gtest.h>

namespace parcast {
namespace {

using Steps = std::vector<ParallelismStep>;

struct Lane {
    std::uint32_t thread;
    std::int64_t begin_ns;
    std::int64_t end_ns;
    ThreadState state;
};

IntervalColumns columns(std::vector<Lane> const& lanes) {
    IntervalColumns rows;
    for (auto const& lane : lanes) {
        rows.thread.emplace_back(lane.thread);
        rows.begin.push_back({lane.begin_ns});
        rows.end.push_back({lane.end_ns});
        rows.state.push_back(lane.state);
    }
    return rows;
}

TEST(Parallelism, OfNothingIsOneEmptyStep) {
    EXPECT_EQ(parallelism({}, 4, Duration{0}), Steps{ParallelismStep{}});
}

// Spinning and switching threads have a processor; blocked ones wait.
TEST(Parallelism, CountsThreadsOnProcessorsReadyAndWaitingOnes) {
    auto const rows = columns({{0, 0, 10, ThreadState::running},
                               {0, 10, 20, ThreadState::spinning},
                               {1, 5, 15, ThreadState::ready},
                               {1, 15, 30, ThreadState::switching},
                               {2, 5, 30, ThreadState::blocked}});
    EXPECT_EQ(parallelism(rows, 2, Duration{30}),
              (Steps{{{0}, 1, 0, 0}, {{5}, 1, 1, 1}, {{15}, 2, 0, 1}, {{20}, 1, 0, 1}}));
}

// Three that share two processors: one of them counts as ready.
TEST(Parallelism, OfSharedProcessorsIsAtMostTheirNumber) {
    auto const rows = columns({{0, 0, 10, ThreadState::running},
                               {1, 0, 10, ThreadState::running},
                               {2, 0, 10, ThreadState::running}});
    EXPECT_EQ(parallelism(rows, 2, Duration{10}), (Steps{{{0}, 2, 1, 0}}));
}

}  // namespace
}  // namespace parcast
