// Futexes behind syscall(): directly, and by the atomics of C++20.
#include <linux/futex.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <atomic>
#include <cerrno>

#include "host.h"

static unsigned word = 0;

static long futex(int operation, unsigned value, timespec const* timeout) {
    return syscall(SYS_futex, &word, operation, value, timeout, nullptr, FUTEX_BITSET_MATCH_ANY);
}

static void* wake(void*) {
    let_others_wait();
    __atomic_store_n(&word, 1, __ATOMIC_RELEASE);
    return reinterpret_cast<void*>(futex(FUTEX_WAKE_PRIVATE, 1, nullptr));
}

int main() {
    int failures = 0;
    failures += futex(FUTEX_WAIT_PRIVATE, 5, nullptr) != -1 || errno != EAGAIN;
    timespec const moment = {0, 2 * 1000 * 1000};
    failures += futex(FUTEX_WAIT_PRIVATE, 0, &moment) != -1 || errno != ETIMEDOUT;
    pthread_t thread;
    pthread_create(&thread, nullptr, wake, nullptr);
    failures += futex(FUTEX_WAIT_BITSET_PRIVATE, 0, nullptr) != 0;
    void* woken = nullptr;
    pthread_join(thread, &woken);
    failures += woken != reinterpret_cast<void*>(1);
    failures += syscall(SYS_getpid) != getpid();
    return failures;
}
