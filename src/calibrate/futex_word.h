// A word on which threads wait in the kernel, as the locks and conditions of the C library do. The probes
// use the system calls themselves, so that what is measured is the kernel's part and no library's.

#pragma once

#include <atomic>
#include <climits>
#include <cstdint>

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace parcast::calibrate {

// On a cache line of its own: a neighbour's stores would be measured as well.
class alignas(64) FutexWord {
public:
    std::uint32_t load() const { return value_.load(std::memory_order_acquire); }
    void store(std::uint32_t value) { value_.store(value, std::memory_order_release); }

    // Sleeps while the word has this value.
    void wait_while(std::uint32_t value) {
        while (load() == value)
            syscall(SYS_futex, &value_, FUTEX_WAIT_PRIVATE, value, nullptr, nullptr, 0);
    }

    void wake(int waiters = INT_MAX) {
        syscall(SYS_futex, &value_, FUTEX_WAKE_PRIVATE, waiters, nullptr, nullptr, 0);
    }

private:
    std::atomic<std::uint32_t> value_{0};
    static_assert(sizeof(std::atomic<std::uint32_t>) == sizeof(std::uint32_t));
};

}  // namespace parcast::calibrate
