// Condition variables: a hand-over, a wait that times out by either clock, a cancelled wait whose cleanup
// handler unlocks the mutex.
#include <pthread.h>
#include <cerrno>

#include "host.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static bool ready = false;

static void* hand_over(void*) {
    pthread_mutex_lock(&mutex);
    ready = true;
    pthread_cond_signal(&condition);
    pthread_mutex_unlock(&mutex);
    return nullptr;
}

static void unlock(void* locked) {
    pthread_mutex_unlock(static_cast<pthread_mutex_t*>(locked));
}

static void* wait_for_ever(void*) {
    pthread_mutex_lock(&mutex);
    pthread_cleanup_push(unlock, &mutex);
    for (;;)
        pthread_cond_wait(&condition, &mutex);
    pthread_cleanup_pop(0);
    return nullptr;
}

int main() {
    int failures = 0;
    pthread_t thread;
    pthread_mutex_lock(&mutex);
    pthread_create(&thread, nullptr, hand_over, nullptr);
    let_others_wait();
    while (!ready)
        pthread_cond_wait(&condition, &mutex);
    pthread_join(thread, nullptr);
    timespec deadline = deadline_in_ms(CLOCK_REALTIME, 2);
    failures += pthread_cond_timedwait(&condition, &mutex, &deadline) != ETIMEDOUT;
    deadline = deadline_in_ms(CLOCK_MONOTONIC, 2);
    failures += pthread_cond_clockwait(&condition, &mutex, CLOCK_MONOTONIC, &deadline) != ETIMEDOUT;
    pthread_mutex_unlock(&mutex);

    pthread_create(&thread, nullptr, wait_for_ever, nullptr);
    let_others_wait();
    pthread_cancel(thread);
    void* result = nullptr;
    pthread_join(thread, &result);
    failures += result != PTHREAD_CANCELED;
    pthread_cond_broadcast(&condition);
    return failures;
}
