#include "measure/others_watch.h"

#include <gtest/gtest.h>

#include <csignal>

#include <sys/wait.h>
#include <unistd.h>

#include "measure/affinity.h"
#include "measure/clock.h"

namespace parcast::measure {
namespace {

TEST(OthersWatch, CountsABusyProcessButNotItsOwnWork) {
    unsigned const cpu = allowed_cpus().front();
    pid_t const other = fork();
    if (other == 0) {
        static_cast<void>(pin_to(cpu));
        for (;;) {
        }
    }
    Pinned const here(cpu);
    OthersWatch const watch({cpu});
    spin_until(wall_ns() + 300'000'000);
    double const share = watch.share();
    kill(other, SIGKILL);
    waitpid(other, nullptr, 0);
    // Both get half of the CPU; whoever else runs here only adds to the others.
    EXPECT_GT(share, 0.2);
}

TEST(WaitUntilQuiet, EndsAtItsLimitWhenNothingIsQuietEnough) {
    auto const cpus = allowed_cpus();
    EXPECT_GE(wait_until_quiet(cpus, 0, {1}), 0) << "no share is below 0: only the limit ends it";
}

}  // namespace
}  // namespace parcast::measure
