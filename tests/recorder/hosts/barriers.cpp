// Barriers, spin locks and once.
#include <pthread.h>

#include "host.h"

static pthread_barrier_t barrier;
static pthread_spinlock_t spin;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void run_once() {}

static void* meet(void*) {
    pthread_spin_lock(&spin);
    pthread_spin_unlock(&spin);
    pthread_barrier_wait(&barrier);
    pthread_once(&once, run_once);
    return nullptr;
}

int main() {
    pthread_barrier_init(&barrier, nullptr, 2);
    pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
    pthread_once(&once, run_once);
    pthread_t thread;
    pthread_spin_lock(&spin);
    pthread_create(&thread, nullptr, meet, nullptr);
    let_others_wait();
    int const failures = pthread_spin_trylock(&spin) == 0;
    pthread_spin_unlock(&spin);
    pthread_barrier_wait(&barrier);
    pthread_join(thread, nullptr);
    pthread_spin_destroy(&spin);
    pthread_barrier_destroy(&barrier);
    return failures;
}
