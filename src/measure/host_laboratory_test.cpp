#include "measure/host_laboratory.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>

namespace parcast::measure {
namespace {

using testing::HasSubstr;

// "its time limit" stood beside one that nobody had set.
TEST(HostLaboratory, ARunThatReachedItsLimitSaysWhoseLimitItWas) {
    auto const cpu = static_cast<unsigned>(sched_getcpu());
    ChildRequest request{.program = "/bin/sleep", .command = {"sleep", "600"}, .cpus = {cpu}};
    request.time_limit = Duration{20'000'000};
    request.time_limit_name = "the limit of the one who tests";
    HostLaboratory laboratory({cpu}, {request}, [](std::size_t) { return Result<void>(); });
    auto const run = laboratory.run(0);
    ASSERT_FALSE(run);
    EXPECT_THAT(run.error().message, HasSubstr("s, the limit of the one who tests"));
}

}  // namespace
}  // namespace parcast::measure
