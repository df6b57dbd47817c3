// Mutexes of every type. Thread 1 makes the main thread wait once.
#include <pthread.h>
#include <cerrno>

#include "host.h"

static pthread_mutex_t shared = PTHREAD_MUTEX_INITIALIZER;

static void* hold_lock(void*) {
    pthread_mutex_lock(&shared);
    hold_for_a_while();
    pthread_mutex_unlock(&shared);
    return nullptr;
}

static pthread_mutex_t make(int type, int robust) {
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, type);
    pthread_mutexattr_setrobust(&attributes, robust);
    pthread_mutex_t mutex;
    pthread_mutex_init(&mutex, &attributes);
    return mutex;
}

static void* die_with(void* mutex) {
    pthread_mutex_lock(static_cast<pthread_mutex_t*>(mutex));
    return nullptr;
}

int main() {
    int failures = 0;
    pthread_t thread;
    pthread_create(&thread, nullptr, hold_lock, nullptr);
    let_others_wait();
    failures += pthread_mutex_trylock(&shared) != EBUSY;
    timespec deadline = deadline_in_ms(CLOCK_REALTIME, 1);
    failures += pthread_mutex_timedlock(&shared, &deadline) != ETIMEDOUT;
    deadline = deadline_in_ms(CLOCK_MONOTONIC, 1);
    failures += pthread_mutex_clocklock(&shared, CLOCK_MONOTONIC, &deadline) != ETIMEDOUT;
    failures += pthread_mutex_lock(&shared) != 0;
    failures += pthread_mutex_unlock(&shared) != 0;
    pthread_join(thread, nullptr);

    pthread_mutex_t checking = make(PTHREAD_MUTEX_ERRORCHECK, PTHREAD_MUTEX_STALLED);
    failures += pthread_mutex_unlock(&checking) != EPERM;
    failures += pthread_mutex_lock(&checking) != 0;
    failures += pthread_mutex_lock(&checking) != EDEADLK;
    failures += pthread_mutex_unlock(&checking) != 0;
    failures += pthread_mutex_destroy(&checking) != 0;

    pthread_mutex_t recursive = make(PTHREAD_MUTEX_RECURSIVE, PTHREAD_MUTEX_STALLED);
    failures += pthread_mutex_lock(&recursive) != 0;
    failures += pthread_mutex_lock(&recursive) != 0;
    failures += pthread_mutex_unlock(&recursive) != 0;
    failures += pthread_mutex_unlock(&recursive) != 0;

    pthread_mutex_t robust = make(PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_ROBUST);
    pthread_create(&thread, nullptr, die_with, &robust);
    pthread_join(thread, nullptr);
    failures += pthread_mutex_lock(&robust) != EOWNERDEAD;
    failures += pthread_mutex_consistent(&robust) != 0;
    failures += pthread_mutex_unlock(&robust) != 0;
    return failures;
}
