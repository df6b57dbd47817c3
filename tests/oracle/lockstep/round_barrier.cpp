#include "round_barrier.h"

#include <cerrno>
#include <climits>
#include <ctime>

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace oracle {

void RoundBarrier::wait_for_end_of(uint32_t round) {
    timespec const patience = {0, 200'000'000};
    while (round_ == round) {
        bool const is_late =
            syscall(SYS_futex, &round_, FUTEX_WAIT_PRIVATE, round, &patience, nullptr, 0) != 0 &&
            errno == ETIMEDOUT;
        if (!is_late)
            continue;
        std::lock_guard const lock(mutex_);
        if (round_ == round) {
            --arrived_;
            ++broken_;
            return;
        }
    }
}

void RoundBarrier::end_round() {
    arrived_ = 0;
    ++round_;
    syscall(SYS_futex, &round_, FUTEX_WAKE_PRIVATE, INT_MAX, nullptr, nullptr, 0);
}

}  // namespace oracle
