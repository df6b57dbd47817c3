#include "record/other_processes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace parcast::record {
namespace {

using testing::ElementsAre;

// A pool of processes was predicted 1.00 times as fast on every number of CPUs, with advice on its input.
TEST(OtherProcesses, TheParentOfAPoolSeesWhatItsWorkersDid) {
    // A parent that waits, and two workers that share the one CPU.
    EXPECT_THAT(cpu_of_others({{{0, 1000, 10}, {100, 900, 400}, {100, 900, 400}}}),
                ElementsAre(800, 400 + 8, 400 + 8));
}

TEST(OtherProcesses, OneThatRanBeforeDoesNotCount) {
    // cc before ./program, both children of a shell.
    EXPECT_THAT(cpu_of_others({{{0, 1000, 0}, {0, 500, 500}, {500, 1000, 500}}}), ElementsAre(1000, 0, 0));
}

TEST(OtherProcesses, HalfOfASpanCountsHalf) {
    EXPECT_THAT(cpu_of_others({{{1'000'000'000'000, 1'000'000'000'100, 40},
                                {1'000'000'000'050, 1'000'000'000'150, 60}}}),
                ElementsAre(30, 20));
}

TEST(OtherProcesses, OneOfNoLengthIsOneAlone) {
    EXPECT_THAT(cpu_of_others({{{5, 5, 3}}}), ElementsAre(0));
    EXPECT_THAT(cpu_of_others({}), ElementsAre());
}

}  // namespace
}  // namespace parcast::record
