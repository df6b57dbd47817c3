#include "record/watch/preemption.h"

#include <csignal>
#include <ctime>

#include <pthread.h>
#include <sys/prctl.h>

#include "measure/affinity.h"

namespace parcast::record {

namespace {

constexpr timespec period{0, 100'000};

void wake_up_often(unsigned cpu, std::atomic<bool> const& is_over) {
    if (!measure::pin_to(cpu))
        return;
    prctl(PR_SET_TIMERSLACK, 1);
    while (!is_over)
        nanosleep(&period, nullptr);
}

}  // namespace

Preemption::Preemption(unsigned cpu) {
    // Signals to parcast are for the thread that waits for the program.
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    thread_ = std::thread([this, cpu] { wake_up_often(cpu, is_over_); });
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

Preemption::~Preemption() {
    is_over_ = true;
    thread_.join();
}

}  // namespace parcast::record
