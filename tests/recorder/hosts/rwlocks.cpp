// Reader-writer locks: two readers share, a writer waits for the other thread's read lock.
#include <pthread.h>
#include <cerrno>

#include "host.h"

static pthread_rwlock_t shared = PTHREAD_RWLOCK_INITIALIZER;

static void* read_for_a_while(void*) {
    pthread_rwlock_rdlock(&shared);
    hold_for_a_while();
    pthread_rwlock_unlock(&shared);
    return nullptr;
}

int main() {
    int failures = 0;
    pthread_t thread;
    pthread_create(&thread, nullptr, read_for_a_while, nullptr);
    let_others_wait();
    failures += pthread_rwlock_rdlock(&shared) != 0;
    failures += pthread_rwlock_unlock(&shared) != 0;
    failures += pthread_rwlock_trywrlock(&shared) != EBUSY;
    timespec deadline = deadline_in_ms(CLOCK_REALTIME, 1);
    failures += pthread_rwlock_timedwrlock(&shared, &deadline) != ETIMEDOUT;
    failures += pthread_rwlock_wrlock(&shared) != 0;
    failures += pthread_rwlock_tryrdlock(&shared) != EBUSY;
    failures += pthread_rwlock_unlock(&shared) != 0;
    deadline = deadline_in_ms(CLOCK_MONOTONIC, 1);
    failures += pthread_rwlock_clockrdlock(&shared, CLOCK_MONOTONIC, &deadline) != 0;
    failures += pthread_rwlock_unlock(&shared) != 0;
    pthread_join(thread, nullptr);
    return failures;
}
