// Threads that end by return, pthread_exit and cancellation; joined in all ways, or detached.
#include <pthread.h>
#include <unistd.h>
#include <cerrno>

#include "host.h"

static void* return_at_once(void*) {
    return nullptr;
}
static void* leave(void*) {
    pthread_exit(nullptr);
}
static void* sleep_long(void*) {
    for (;;)
        let_others_wait();
}

int main() {
    int failures = 0;
    pthread_t thread;
    pthread_create(&thread, nullptr, return_at_once, nullptr);
    failures += pthread_join(thread, nullptr) != 0;
    pthread_create(&thread, nullptr, leave, nullptr);
    let_others_wait();
    failures += pthread_tryjoin_np(thread, nullptr) != 0;
    pthread_create(&thread, nullptr, sleep_long, nullptr);
    let_others_wait();
    failures += pthread_tryjoin_np(thread, nullptr) != EBUSY;
    timespec const deadline = deadline_in_ms(CLOCK_REALTIME, 2);
    failures += pthread_timedjoin_np(thread, nullptr, &deadline) != ETIMEDOUT;
    pthread_cancel(thread);
    void* result = nullptr;
    failures += pthread_join(thread, &result) != 0;
    failures += result != PTHREAD_CANCELED;
    failures += pthread_join(pthread_self(), nullptr) != EDEADLK;
    pthread_create(&thread, nullptr, return_at_once, nullptr);
    failures += pthread_detach(thread) != 0;
    let_others_wait();
    return failures;
}
