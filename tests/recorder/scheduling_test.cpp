// Classes and processors that the host sets, and that the recorder does not execute.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

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

// Threads created with attributes were in the recording as if they might run anywhere.
TEST(Scheduling, ATraceHasTheProcessorsThatAttributesName) {
    if (geteuid() != 0 || sysconf(_SC_NPROCESSORS_ONLN) < 2)
        GTEST_SKIP() << "needs two processors";
    RecordedRun const run = record("scheduling");
    ASSERT_EQ(run.exit_status(), 0);
    std::vector<std::int64_t> masks;
    auto const& events = run.only().events;
    for (std::size_t thread = 1; thread < events.size(); ++thread)
        for (Event const& event : events[thread])
            if (event.kind == EventKind::set_affinity && event.related == thread)
                masks.push_back(event.value);
    std::int64_t const last = std::int64_t{1} << std::min(63L, sysconf(_SC_NPROCESSORS_CONF) - 1);
    EXPECT_EQ(masks, (std::vector<std::int64_t>{1, last, 1, 1, 1}))
        << "by the object, then by the creator, by default, in C11, beside a signal mask";
}

}  // namespace
}  // namespace parcast::tests
