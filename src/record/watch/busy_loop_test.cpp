#include "record/watch/busy_loop.h"

#include <csignal>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace parcast::record {
namespace {

// A process that goes round in a loop.
class Spinner {
public:
    Spinner() : process_(fork()) {
        if (process_ == 0) {
            prctl(PR_SET_PDEATHSIG, SIGKILL);
            for (;;)
                __builtin_ia32_pause();
        }
    }
    Spinner(Spinner const&) = delete;
    Spinner& operator=(Spinner const&) = delete;
    ~Spinner() {
        kill(process_, SIGKILL);
        waitpid(process_, nullptr, 0);
    }

    pid_t process() const { return process_; }
    // What traced it may still be about to let it go, and then a stop is told instead of an end.
    bool is_alive() const {
        siginfo_t end{};
        bool const is_known =
            waitid(P_PID, static_cast<id_t>(process_), &end, WEXITED | WNOHANG | WNOWAIT) == 0;
        return is_known && (end.si_pid == 0 || end.si_code == CLD_TRAPPED);
    }

private:
    pid_t process_;
};

TEST(BusyLoop, OneThatChangesNothingIsFound) {
    Spinner const spinner;
    std::vector<BusyLoop> loops;
    for (int i = 0; i < 20 && loops.empty(); ++i)
        loops = busy_loops({spinner.process()});
    if (loops.empty())
        GTEST_SKIP() << "it may not be traced here, or hardly ran";
    EXPECT_EQ(loops.front().thread, spinner.process());
    EXPECT_TRUE(spinner.is_alive());
}

// One that hardly got a CPU was let go in the middle of a step that took too long, and the trap at its end
// killed it.
TEST(BusyLoop, AThreadThatIsSlowToStepIsNotKilledByBeingLookedAt) {
    Spinner const spinner;
    for (int i = 0; i < 500; ++i) {
        busy_loops({spinner.process()}, Duration{std::int64_t{1'000} * i});
        ASSERT_TRUE(spinner.is_alive()) << "with a patience of " << i << " us";
    }
}

}  // namespace
}  // namespace parcast::record
