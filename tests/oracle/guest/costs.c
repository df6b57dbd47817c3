// What switching and waking threads costs in the emulated machine, in nanoseconds of its clock, which are
// instructions. Prints a line "NAME NS" a value. On one CPU: context_switch. On two and more, in lock-step:
// wake_up.
//
// Two threads hand a turn to and fro by semaphores. On one CPU half a turn is a post, a switch, and what
// blocking and waking cost the waiter; the post alone is measured beside it, since a recording counts it as
// work. On two CPUs it is the latency from the post to the woken thread.

#define _GNU_SOURCE

#include "mark.h"

#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { turns = 2000 };

static sem_t ping, pong;
static long same_cpu;
static int64_t post_ns, latency_ns, posted_at;

static int64_t now_ns(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static void stay_on(unsigned cpu) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(cpu, &set);
    sched_setaffinity(0, sizeof set, &set);
}

static void post(sem_t* semaphore) {
    int64_t const before = now_ns();
    posted_at = before;
    sem_post(semaphore);
    post_ns += now_ns() - before;
}

static void await(sem_t* semaphore) {
    sem_wait(semaphore);
    latency_ns += now_ns() - posted_at;
}

static void* answer(void* unused) {
    stay_on(same_cpu ? 0 : 1);
    for (int turn = 0; turn < turns; ++turn) {
        await(&ping);
        post(&pong);
    }
    return unused;
}

int main(void) {
    same_cpu = sysconf(_SC_NPROCESSORS_ONLN) == 1;
    stay_on(0);
    sem_init(&ping, 0, 0);
    sem_init(&pong, 0, 0);
    pthread_t thread;
    if (pthread_create(&thread, NULL, answer, NULL) != 0) {
        return 1;
    }
    mark_begin();
    int64_t const begin = now_ns();
    for (int turn = 0; turn < turns; ++turn) {
        post(&ping);
        await(&pong);
    }
    int64_t const half_turn_ns = (now_ns() - begin) / turns / 2;
    mark_end();
    pthread_join(thread, NULL);
    printf("post %lld\n", (long long)(post_ns / turns / 2));
    printf("latency %lld\n", (long long)(latency_ns / turns / 2));
    printf("half_turn %lld\n", (long long)half_turn_ns);
    return 0;
}
