/* One program that does, on demand, what parcast finds doubtful: the examples of docs/findings.md.

   doubtful MODE [NUMBER] */

#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static atomic_int flag, next_piece;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static sem_t semaphore; /* without sem_init(3): of all zeros, as glibc makes one of value 0 */
static double volatile sum;

static void work(long steps) {
    for (long i = 0; i < steps; ++i)
        sum += (double)i;
}

static double now_s(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* A thread takes mutexes two at a time, upwards. When it is done, which a recording does not show, main does
   so downwards. */
static pthread_mutex_t* node; /* of 80, in memory that is allocated */
static void take_two_at_a_time(pthread_mutex_t* first, pthread_mutex_t* second) {
    pthread_mutex_lock(first);
    work(20000);
    pthread_mutex_lock(second);
    pthread_mutex_unlock(second);
    pthread_mutex_unlock(first);
}

static void* take_upwards(void* unused) {
    for (int i = 0; i < 79; ++i)
        take_two_at_a_time(&node[i], &node[i + 1]);
    atomic_store(&flag, 1);
    return unused;
}

static void take_downwards(void) {
    while (!atomic_load(&flag))
        sched_yield();
    for (int i = 79; i > 0; --i)
        take_two_at_a_time(&node[i], &node[i - 1]);
}

/* Two threads take turns, by a flag. */
static void* take_turns(void* me) {
    for (int i = 0; i < 200; ++i) {
        while (atomic_load(&flag) != (me != NULL))
            __builtin_ia32_pause();
        work(20000);
        atomic_store(&flag, me == NULL);
    }
    return NULL;
}

static void* yield_until_the_flag(void* argument) {
    (void)argument;
    while (!atomic_load(&flag))
        sched_yield();
    return NULL;
}

static void* touch_new_memory(void* argument) {
    (void)argument;
    size_t const bytes = 8 << 20;
    for (int i = 0; i < 10; ++i) {
        char* const memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        for (size_t at = 0; at < bytes; at += 4096)
            memory[at] = 1;
        munmap(memory, bytes);
    }
    return NULL;
}

static void* sleep_again_and_again(void* argument) {
    for (;;)
        usleep(3000);
    return argument;
}

/* On one CPU the first thread takes them all. */
static void* take_pieces(void* argument) {
    (void)argument;
    while (atomic_fetch_add(&next_piece, 1) < 400)
        work(15000);
    return NULL;
}

static void* write_pieces(void* end) {
    for (int i = 0; i < 50; ++i) {
        work(20000);
        if (write(*(int*)end, "piece", 5) != 5)
            abort();
    }
    return NULL;
}

static void* post(void* argument) {
    (void)argument;
    work(1000000);
    sem_post(&semaphore);
    return NULL;
}

static FILE* log_file;

static void* write_lines(void* argument) {
    (void)argument;
    for (int i = 0; i < 100000; ++i)
        fprintf(log_file, "%d\n", i);
    return NULL;
}

static void* unlock_of_another(void* argument) {
    (void)argument;
    pthread_mutex_unlock(&mutex);
    pthread_mutex_lock(&mutex);
    work(100000);
    pthread_mutex_unlock(&mutex);
    return NULL;
}

static void* run_a_while(void* argument) {
    (void)argument;
    double const end = now_s(CLOCK_MONOTONIC) + 0.2;
    while (now_s(CLOCK_MONOTONIC) < end)
        work(1000);
    return NULL;
}

static double end_s;

static void* run_until_the_end(void* argument) {
    (void)argument;
    while (now_s(CLOCK_MONOTONIC) < end_s)
        work(1000);
    return NULL;
}

static void in_threads(int count, void* (*what)(void*)) {
    pthread_t threads[8];
    for (int i = 0; i < count; ++i)
        pthread_create(&threads[i], NULL, what, NULL);
    for (int i = 0; i < count; ++i)
        pthread_join(threads[i], NULL);
}

static int is(char const* mode, char const* name) {
    return strcmp(mode, name) == 0;
}

int main(int count, char** words) {
    char const* const mode = count > 1 ? words[1] : "nothing";
    long const number = count > 2 ? atol(words[2]) : 0;
    pthread_t thread;
    if (is(mode, "nothing"))
        return 0;
    if (is(mode, "fail"))
        return 3;
    if (is(mode, "spin")) {
        pthread_create(&thread, NULL, take_turns, &flag);
        take_turns(NULL);
        pthread_join(thread, NULL);
    } else if (is(mode, "yield")) {
        pthread_create(&thread, NULL, yield_until_the_flag, NULL);
        for (int i = 0; i < 100; ++i) {
            work(100000);
            sched_yield();
        }
        atomic_store(&flag, 1);
        pthread_join(thread, NULL);
    } else if (is(mode, "alive")) {
        pthread_create(&thread, NULL, sleep_again_and_again, NULL);
        usleep(20000);
        work(1000000);
    } else if (is(mode, "kernel")) {
        in_threads(8, touch_new_memory);
    } else if (is(mode, "counter")) {
        in_threads(4, take_pieces);
    } else if (is(mode, "stream")) {
        log_file = fopen("/dev/null", "w");
        in_threads(4, write_lines);
        fclose(log_file);
    } else if (is(mode, "exec")) {
        execl("/bin/true", "true", NULL);
    } else if (is(mode, "fork")) {
        pid_t const child = fork();
        if (child == 0)
            _exit(0);
        waitpid(child, NULL, 0);
    } else if (is(mode, "grow")) {
        for (long i = 0; i < number; ++i)
            in_threads(1, run_a_while);
    } else if (is(mode, "crossed")) {
        node = calloc(80, sizeof *node);
        pthread_create(&thread, NULL, take_upwards, NULL);
        take_downwards();
        pthread_join(thread, NULL);
    } else if (is(mode, "timed")) {
        end_s = now_s(CLOCK_MONOTONIC) + 1;
        in_threads(2, run_until_the_end);
    } else if (is(mode, "outside")) {
        sem_t* const shared =
            mmap(NULL, sizeof(sem_t), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        sem_init(shared, 1, 0);
        pid_t const child = fork();
        if (child == 0) {
            work(10000000);
            sem_post(shared);
            _exit(0);
        }
        sem_wait(shared);
        waitpid(child, NULL, 0);
    } else if (is(mode, "sigwait")) {
        sigset_t signals;
        int taken;
        sigemptyset(&signals);
        sigaddset(&signals, SIGALRM);
        sigprocmask(SIG_BLOCK, &signals, NULL);
        ualarm(50000, 0);
        sigwait(&signals, &taken);
    } else if (is(mode, "pipe")) {
        int ends[2];
        char piece[5];
        if (pipe(ends) != 0 || pthread_create(&thread, NULL, write_pieces, &ends[1]) != 0)
            abort();
        for (int i = 0; i < 50 && read(ends[0], piece, sizeof piece) == sizeof piece; ++i)
            work(20000);
        pthread_join(thread, NULL);
    } else if (is(mode, "semaphore")) {
        pthread_create(&thread, NULL, post, NULL);
        sem_wait(&semaphore);
        pthread_join(thread, NULL);
    } else if (is(mode, "unlock")) {
        pthread_mutex_lock(&mutex);
        pthread_create(&thread, NULL, unlock_of_another, NULL);
        pthread_join(thread, NULL);
    } else if (is(mode, "affinity")) {
        cpu_set_t cpus;
        sched_getaffinity(0, sizeof cpus, &cpus);
        pthread_create(&thread, NULL, run_a_while, NULL);
        usleep(20000);
        pthread_setaffinity_np(thread, sizeof cpus, &cpus);
        pthread_join(thread, NULL);
    } else {
        fprintf(stderr, "there is no mode %s\n", mode);
        return 2;
    }
    return 0;
}
