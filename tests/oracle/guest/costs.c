// What switching and waking threads costs in the emulated machine, in nanoseconds of its clock, which are
// instructions. Prints a line "NAME NS" a value. On one CPU: context_switch. On two and more, in lock-step:
// wake_up. On one and on many: what waking a thread costs the one who does it, wake_waiter.
//
// Two threads hand a turn to and fro by semaphores. On one CPU half a turn is a post, a switch, and what
// blocking and waking cost the waiter; the post alone is measured beside it, since a recording counts it as
// work. On two CPUs it is the latency from the post to the woken thread.
//
// Then all waiters of a futex are woken by one call: one waiter, and as many as there are other CPUs (15 on
// one). What a further one costs is the difference; on one CPU each joins the queue, on many each has a CPU
// that polls.

#define _GNU_SOURCE

#include "mark.h"

#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { turns = 2000, wake_turns = 50, most_waiters = 15 };

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

// As threads are that nobody binds: who wakes one has to choose a CPU for it.
static void stay_off_first_cpu(void) {
    cpu_set_t set;
    CPU_ZERO(&set);
    for (long cpu = 1; cpu < sysconf(_SC_NPROCESSORS_ONLN); ++cpu)
        CPU_SET((size_t)cpu, &set);
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

static uint32_t volatile generation;

static void* sleeper(void* unused) {
    if (!same_cpu)
        stay_off_first_cpu();
    for (uint32_t turn = 0; turn < wake_turns; ++turn)
        while (generation == turn)
            syscall(SYS_futex, &generation, FUTEX_WAIT_PRIVATE, turn, NULL, NULL, 0);
    return unused;
}

// What waking all of them takes, on average, when they sleep.
static int64_t wake_all_ns(unsigned waiters) {
    pthread_t threads[most_waiters];
    generation = 0;
    for (unsigned i = 0; i < waiters; ++i)
        if (pthread_create(&threads[i], NULL, sleeper, NULL) != 0)
            exit(1);
    int64_t total_ns = 0;
    for (int turn = 0; turn < wake_turns; ++turn) {
        usleep(300);
        ++generation;
        int64_t const before = now_ns();
        syscall(SYS_futex, &generation, FUTEX_WAKE_PRIVATE, most_waiters, NULL, NULL, 0);
        total_ns += now_ns() - before;
    }
    for (unsigned i = 0; i < waiters; ++i)
        pthread_join(threads[i], NULL);
    return total_ns / wake_turns;
}

int main(void) {
    same_cpu = sysconf(_SC_NPROCESSORS_ONLN) == 1;
    stay_on(0);
    sem_init(&ping, 0, 0);
    sem_init(&pong, 0, 0);
    pthread_t thread;
    if (pthread_create(&thread, NULL, answer, NULL) != 0)
        return 1;
    mark_begin();
    int64_t const begin = now_ns();
    for (int turn = 0; turn < turns; ++turn) {
        post(&ping);
        await(&pong);
    }
    int64_t const half_turn_ns = (now_ns() - begin) / turns / 2;
    pthread_join(thread, NULL);
    unsigned const waiters = same_cpu ? most_waiters : (unsigned)sysconf(_SC_NPROCESSORS_ONLN) - 1;
    int64_t const wake_one_ns = wake_all_ns(1);
    int64_t const wake_many_ns = waiters > 1 ? wake_all_ns(waiters) : 0;
    mark_end();
    printf("post %lld\n", (long long)(post_ns / turns / 2));
    printf("latency %lld\n", (long long)(latency_ns / turns / 2));
    printf("half_turn %lld\n", (long long)half_turn_ns);
    printf("wake_one %lld\n", (long long)wake_one_ns);
    if (waiters > 1)
        printf("wake_each %lld\n", (long long)(wake_many_ns - wake_one_ns) / (waiters - 1));
    return 0;
}
