/* Threads that wait by sleeping and looking again, beside four workers of equal work; and controls, in which
   sleeping passes time.

   sleep_polling MODE [MILLISECONDS OF WORK]

   flag       main sleeps until a worker, the last one, sets a flag
   progress   a thread prints how far the workers are, every 5 ms, until main tells it to end
   condition  a thread waits 5 ms at a time for a condition that nobody signals, until main tells it to end
   two        two watchdogs, each with a flag of its own, set one after the other
   daemon     a watchdog that nobody ends
   device     each worker sleeps 1 ms twelve times, as if it read a device, before each of four pieces of work
   paced      main hands out pieces of work, one each 5 ms, forty of them */

#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { workers = 4 };

static atomic_int stop, stop_other, finished;
static atomic_long done;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
static sem_t pieces;
static long work_ms = 60;
static int is_device;

static void compute(long ms) {
    double volatile x = 1;
    for (long i = 0; i < ms * 100000; ++i)
        x = x * 1.0000001 + 1e-9;
    atomic_fetch_add(&done, ms);
}

static void* work(void* argument) {
    for (int part = 0; part < 4; ++part) {
        for (int i = 0; is_device && i < 12; ++i)
            usleep(1000);
        compute(work_ms / 4);
    }
    atomic_fetch_add(&finished, 1);
    return argument;
}

static void* take_pieces(void* argument) {
    for (int i = 0; i < 10; ++i) {
        sem_wait(&pieces);
        compute(1);
    }
    return argument;
}

static void* watch(void* flag) {
    struct timespec const nap = {0, 5000000};
    while (!atomic_load((atomic_int*)flag))
        nanosleep(&nap, NULL);
    return NULL;
}

static void* print_progress(void* argument) {
    char line[64];
    while (!atomic_load(&stop)) {
        int const length = snprintf(line, sizeof line, "\r%ld of %ld", atomic_load(&done), workers * work_ms);
        if (write(2, line, (size_t)length) < 0)
            break;
        usleep(5000);
    }
    return argument;
}

static void* wait_for_never(void* argument) {
    pthread_mutex_lock(&mutex);
    while (!atomic_load(&stop)) {
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += 5000000;
        until.tv_sec += until.tv_nsec / 1000000000;
        until.tv_nsec %= 1000000000;
        pthread_cond_timedwait(&never, &mutex, &until);
    }
    pthread_mutex_unlock(&mutex);
    return argument;
}

static int is(char const* mode, char const* name) {
    return strcmp(mode, name) == 0;
}

int main(int count, char** words) {
    char const* const mode = count > 1 ? words[1] : "flag";
    if (count > 2)
        work_ms = atol(words[2]);
    is_device = is(mode, "device");
    sem_init(&pieces, 0, 0);
    pthread_t watcher, other, threads[workers];
    int const has_other = is(mode, "two");
    if (has_other)
        pthread_create(&other, NULL, watch, &stop_other);
    if (is(mode, "two") || is(mode, "daemon"))
        pthread_create(&watcher, NULL, watch, &stop);
    else if (is(mode, "progress"))
        pthread_create(&watcher, NULL, print_progress, NULL);
    else if (is(mode, "condition"))
        pthread_create(&watcher, NULL, wait_for_never, NULL);
    for (int i = 0; i < workers; ++i)
        pthread_create(&threads[i], NULL, is(mode, "paced") ? take_pieces : work, NULL);
    if (is(mode, "flag"))
        while (atomic_load(&finished) < workers)
            usleep(200);
    for (int i = 0; is(mode, "paced") && i < 40; ++i) {
        usleep(5000);
        sem_post(&pieces);
    }
    for (int i = 0; i < workers; ++i) {
        pthread_join(threads[i], NULL);
        atomic_store(&stop_other, 1);
    }
    atomic_store(&stop, 1);
    if (has_other)
        pthread_join(other, NULL);
    if (is(mode, "two") || is(mode, "progress") || is(mode, "condition"))
        pthread_join(watcher, NULL);
    return 0;
}
