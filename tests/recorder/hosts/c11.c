/* C11 threads: none of these calls goes through a pthread symbol. */
#include <threads.h>

#include "host.h"

static mtx_t mutex;
static cnd_t condition;
static once_flag flag = ONCE_FLAG_INIT;
static int ready = 0;

static void run_once(void) {}

static int hand_over(void* argument) {
    mtx_lock(&mutex);
    ready = 1;
    cnd_signal(&condition);
    mtx_unlock(&mutex);
    return *(int*)argument;
}

int main(void) {
    int failures = 0;
    mtx_init(&mutex, mtx_timed);
    cnd_init(&condition);
    call_once(&flag, run_once);
    mtx_lock(&mutex);
    int argument = 42;
    thrd_t thread;
    thrd_create(&thread, hand_over, &argument);
    let_others_wait();
    while (!ready)
        cnd_wait(&condition, &mutex);
    struct timespec deadline = deadline_in_ms(CLOCK_REALTIME, 2);
    failures += mtx_trylock(&mutex) != thrd_busy;
    failures += cnd_timedwait(&condition, &mutex, &deadline) != thrd_timedout;
    mtx_unlock(&mutex);
    int result = 0;
    thrd_join(thread, &result);
    failures += result != 42;
    cnd_broadcast(&condition);
    cnd_destroy(&condition);
    mtx_destroy(&mutex);
    return failures;
}
