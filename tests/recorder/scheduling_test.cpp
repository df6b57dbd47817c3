// Classes and processors that the host sets, and that the recorder does not execute.

#include <gtest/gtest.h>

#include <unistd.h>

#include "recorded_run.h"

namespace parcast::tests {
namespace {

// stress-ng --schedpolicy ended with 2: it checks what it set.
TEST(Scheduling, IsReadBackAsSetAndNotExecuted) {
    if (geteuid() != 0)
        GTEST_SKIP() << "real-time classes are root's";
    RecordedRun const run = record("scheduling");
    EXPECT_EQ(run.exit_status(), 0) << "the line of hosts/scheduling.c that fails, modulo 250, plus 1";
    EXPECT_EQ(run.headers.size(), 3u) << "with two children";
}

}  // namespace
}  // namespace parcast::tests
