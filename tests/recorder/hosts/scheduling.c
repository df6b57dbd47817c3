// Sets classes and processors of its threads in every way that there is, and expects to read back what it
// set, as without the recorder; while the kernel, asked past libc, knows nothing of it. Exit status: the line
// that failed.

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <threads.h>
#include <unistd.h>

#define EXPECT(condition) ((condition) ? (void)0 : exit(__LINE__ % 250 + 1))

struct attributes {
    uint32_t size, policy;
    uint64_t flags;
    int32_t nice;
    uint32_t priority;
    uint64_t runtime, deadline, period;
};

static cpu_set_t recorded_on;

static long ask_kernel(long number, long a, long b, long c) {
    long result;
    asm volatile("syscall" : "=a"(result) : "0"(number), "D"(a), "S"(b), "d"(c) : "rcx", "r11", "memory");
    return result;
}

static void expect_kernel_unmoved(void) {
    cpu_set_t mask;
    CPU_ZERO(&mask);
    EXPECT(ask_kernel(SYS_sched_getscheduler, 0, 0, 0) == SCHED_OTHER);
    EXPECT(ask_kernel(SYS_sched_getaffinity, 0, sizeof mask, (long)&mask) > 0);
    EXPECT(CPU_COUNT(&mask) == 1 && CPU_EQUAL(&mask, &recorded_on));
}

static void expect_class(int policy, int priority) {
    struct sched_param parameters = {-1};
    struct attributes attributes = {0};
    int seen = -1;
    EXPECT(sched_getscheduler(0) == policy && sched_getscheduler((pid_t)syscall(SYS_gettid)) == policy);
    EXPECT(sched_getparam(0, &parameters) == 0 && parameters.sched_priority == priority);
    EXPECT(pthread_getschedparam(pthread_self(), &seen, &parameters) == 0);
    EXPECT(seen == (policy & ~SCHED_RESET_ON_FORK) && parameters.sched_priority == priority);
    EXPECT(syscall(SYS_sched_getscheduler, 0) == policy);
    parameters.sched_priority = -1;
    EXPECT(syscall(SYS_sched_getparam, 0, &parameters) == 0 && parameters.sched_priority == priority);
    EXPECT(syscall(SYS_sched_getattr, 0, &attributes, sizeof attributes, 0) == 0);
    EXPECT((int)attributes.policy == (policy & ~SCHED_RESET_ON_FORK));
    EXPECT((int)attributes.priority == priority);
    EXPECT((attributes.flags & 1) == ((policy & SCHED_RESET_ON_FORK) != 0));
    // As stress-ng does: what was read is set again.
    EXPECT(syscall(SYS_sched_setattr, 0, &attributes, 0) == 0);
    EXPECT(sched_getscheduler(0) == policy);
    expect_kernel_unmoved();
}

static void classes(void) {
    struct sched_param const none = {0}, ten = {10}, twenty = {20}, too_high = {100};
    EXPECT(sched_setparam(0, &ten) == -1 && errno == EINVAL);  // an ordinary class has no priorities
    EXPECT(sched_setscheduler(0, SCHED_FIFO, &too_high) == -1 && errno == EINVAL);
    expect_class(SCHED_OTHER, 0);
    EXPECT(sched_setscheduler(0, SCHED_FIFO, &ten) == 0);
    expect_class(SCHED_FIFO, 10);
    EXPECT(sched_setparam(0, &twenty) == 0);
    expect_class(SCHED_FIFO, 20);
    EXPECT(pthread_setschedparam(pthread_self(), SCHED_RR, &ten) == 0);
    expect_class(SCHED_RR, 10);
    EXPECT(pthread_setschedprio(pthread_self(), 11) == 0);
    expect_class(SCHED_RR, 11);
    EXPECT(sched_setparam(0, &none) == -1 && errno == EINVAL);
    EXPECT(syscall(SYS_sched_setscheduler, 0, SCHED_FIFO | SCHED_RESET_ON_FORK, &twenty) == 0);
    expect_class(SCHED_FIFO | SCHED_RESET_ON_FORK, 20);
    struct attributes const turns = {.size = sizeof turns, .policy = SCHED_RR, .priority = 5};
    EXPECT(syscall(SYS_sched_setattr, 0, &turns, 0) == 0);
    expect_class(SCHED_RR, 5);
    EXPECT(sched_setscheduler(0, SCHED_OTHER, &none) == 0);
    expect_class(SCHED_OTHER, 0);
}

// On one CPU, which none of the others is, the kernel takes it.
static void deadline_class(void) {
    struct sched_param const none = {0};
    struct attributes const wanted = {
        .size = 48, .policy = 6, .flags = 1, .runtime = 1000000, .deadline = 5000000, .period = 10000000};
    struct attributes const wrong = {.size = 48, .policy = 6, .runtime = 5000000, .deadline = 1000000};
    struct attributes seen = {0};
    EXPECT(syscall(SYS_sched_setattr, 0, &wrong, 0) == -1 && errno == EINVAL);
    errno = 0;
    int const result = (int)syscall(SYS_sched_setattr, 0, &wanted, 0);
    if (result == -1 && errno == EPERM)
        return;  // without CAP_SYS_NICE
    EXPECT(result == 0 && errno == 0);
    EXPECT(sched_getscheduler(0) == (6 | SCHED_RESET_ON_FORK));
    EXPECT(syscall(SYS_sched_getattr, 0, &seen, sizeof seen, 0) == 0);
    EXPECT(seen.policy == 6 && seen.flags == 1 && seen.priority == 0);
    EXPECT(seen.runtime == wanted.runtime && seen.deadline == wanted.deadline &&
           seen.period == wanted.period);
    EXPECT(sched_setscheduler(0, SCHED_OTHER, &none) == 0);
    expect_class(SCHED_OTHER, 0);
}

static cpu_set_t last_processor(void) {
    cpu_set_t mask;
    CPU_ZERO(&mask);
    CPU_SET(sysconf(_SC_NPROCESSORS_CONF) - 1, &mask);
    return mask;
}

static void expect_mask(cpu_set_t const* wanted) {
    cpu_set_t seen;
    EXPECT(sched_getaffinity(0, sizeof seen, &seen) == 0 && CPU_EQUAL(&seen, wanted));
    EXPECT(pthread_getaffinity_np(pthread_self(), sizeof seen, &seen) == 0 && CPU_EQUAL(&seen, wanted));
    CPU_ZERO(&seen);
    EXPECT(syscall(SYS_sched_getaffinity, 0, sizeof seen, &seen) > 0 && CPU_EQUAL(&seen, wanted));
    expect_kernel_unmoved();
}

static void processors(void) {
    cpu_set_t const last = last_processor();
    cpu_set_t first, all, beyond, seen;
    CPU_ZERO(&first);
    CPU_SET(0, &first);
    EXPECT(sched_setaffinity(0, sizeof last, &last) == 0);
    expect_mask(&last);
    EXPECT(pthread_setaffinity_np(pthread_self(), sizeof first, &first) == 0);
    expect_mask(&first);
    EXPECT(syscall(SYS_sched_setaffinity, 0, sizeof last, &last) == 0);
    expect_mask(&last);
    // Who asks for every bit of a mask hears what there are, not a thousand.
    memset(&all, 0xff, sizeof all);
    EXPECT(sched_setaffinity(0, sizeof all, &all) == 0 && sched_getaffinity(0, sizeof seen, &seen) == 0);
    EXPECT(CPU_COUNT(&seen) == sysconf(_SC_NPROCESSORS_ONLN));
    // Recorded for a host that has them.
    CPU_ZERO(&beyond);
    CPU_SET(1000, &beyond);
    EXPECT(sched_setaffinity(0, sizeof beyond, &beyond) == 0);
    EXPECT(sched_getaffinity(0, sizeof seen, &seen) == 0 && CPU_EQUAL(&seen, &beyond));
    EXPECT(sched_setaffinity(0, sizeof last, &last) == 0);
}

static void* expect_inherited(void* nothing) {
    cpu_set_t const last = last_processor();
    expect_mask(&last);
    expect_class(SCHED_FIFO, 7);
    return nothing;
}

static void* expect_own(void* nothing) {
    cpu_set_t first;
    CPU_ZERO(&first);
    CPU_SET(0, &first);
    expect_mask(&first);
    expect_class(SCHED_RR, 3);
    return nothing;
}

static void* expect_first(void* nothing) {
    cpu_set_t first;
    CPU_ZERO(&first);
    CPU_SET(0, &first);
    expect_mask(&first);
    return nothing;
}

static void* expect_last(void* nothing) {
    cpu_set_t const last = last_processor();
    expect_mask(&last);
    return nothing;
}

static void* expect_blocked(void* nothing) {
    sigset_t seen;
    EXPECT(pthread_sigmask(SIG_SETMASK, NULL, &seen) == 0 && sigismember(&seen, SIGUSR1) == 1);
    return expect_first(nothing);
}

static int expect_first_in_c11(void* nothing) {
    return expect_first(nothing) != NULL;
}

static void run(pthread_attr_t const* with, void* (*routine)(void*)) {
    pthread_t thread;
    EXPECT(pthread_create(&thread, with, routine, NULL) == 0 && pthread_join(thread, NULL) == 0);
}

// The main thread is bound to the last processor.
static void attributes_of_threads(void) {
    cpu_set_t const last = last_processor();
    cpu_set_t first, none, seen;
    sigset_t blocked;
    pthread_t thread;
    pthread_attr_t attributes, without;
    CPU_ZERO(&first);
    CPU_SET(0, &first);
    CPU_ZERO(&none);
    EXPECT(pthread_attr_init(&attributes) == 0 && pthread_attr_init(&without) == 0);
    EXPECT(pthread_attr_setstacksize(&attributes, 1 << 18) == 0);
    EXPECT(pthread_attr_setaffinity_np(&attributes, sizeof first, &first) == 0);
    EXPECT(pthread_attr_getaffinity_np(&attributes, sizeof seen, &seen) == 0 && CPU_EQUAL(&seen, &first));
    run(&attributes, expect_first);
    run(&without, expect_last);
    run(NULL, expect_last);
    // What its creator sets then, before it has run, holds.
    EXPECT(pthread_create(&thread, &attributes, expect_last, NULL) == 0);
    EXPECT(pthread_setaffinity_np(thread, sizeof last, &last) == 0 && pthread_join(thread, NULL) == 0);
    EXPECT(pthread_setattr_default_np(&attributes) == 0);
    run(NULL, expect_first);
    run(&without, expect_last);
    thrd_t plain;
    int result = 1;
    EXPECT(thrd_create(&plain, expect_first_in_c11, NULL) == thrd_success);
    EXPECT(thrd_join(plain, &result) == thrd_success && result == 0);
    pthread_attr_t defaults;
    EXPECT(pthread_getattr_default_np(&defaults) == 0);
    EXPECT(pthread_attr_getaffinity_np(&defaults, sizeof seen, &seen) == 0 && CPU_EQUAL(&seen, &first));
    EXPECT(pthread_setattr_default_np(&without) == 0);
    run(NULL, expect_last);
    EXPECT(pthread_getattr_np(pthread_self(), &defaults) == 0);
    EXPECT(pthread_attr_getaffinity_np(&defaults, sizeof seen, &seen) == 0 && CPU_EQUAL(&seen, &last));
    EXPECT(pthread_attr_setaffinity_np(&attributes, sizeof none, &none) == 0);
    EXPECT(pthread_create(&thread, &attributes, expect_first, NULL) == EINVAL);
    EXPECT(pthread_attr_setaffinity_np(&attributes, 0, &none) == 0);
    run(&attributes, expect_last);
    // A signal mask lies beside the processors.
    EXPECT(sigemptyset(&blocked) == 0 && sigaddset(&blocked, SIGUSR1) == 0);
    EXPECT(pthread_attr_setsigmask_np(&attributes, &blocked) == 0);
    EXPECT(pthread_attr_setaffinity_np(&attributes, sizeof first, &first) == 0);
    run(&attributes, expect_blocked);
    EXPECT(pthread_attr_destroy(&attributes) == 0 && pthread_attr_destroy(&without) == 0);
}

static void inheritance(void) {
    struct sched_param const seven = {7}, three = {3};
    pthread_t thread;
    EXPECT(sched_setscheduler(0, SCHED_FIFO, &seven) == 0);
    EXPECT(pthread_create(&thread, NULL, expect_inherited, NULL) == 0 && pthread_join(thread, NULL) == 0);
    // Set by its creator before it has run: there is one CPU.
    cpu_set_t first, seen;
    CPU_ZERO(&first);
    CPU_SET(0, &first);
    EXPECT(pthread_create(&thread, NULL, expect_own, NULL) == 0);
    EXPECT(pthread_setaffinity_np(thread, sizeof first, &first) == 0);
    EXPECT(pthread_setschedparam(thread, SCHED_RR, &three) == 0);
    EXPECT(pthread_getaffinity_np(thread, sizeof seen, &seen) == 0 && CPU_EQUAL(&seen, &first));
    EXPECT(pthread_join(thread, NULL) == 0);
    int status = 1;
    pid_t const child = fork();
    if (child == 0) {
        expect_inherited(NULL);
        _exit(0);
    }
    EXPECT(waitpid(child, &status, 0) == child && status == 0);
    EXPECT(sched_setscheduler(0, SCHED_FIFO | SCHED_RESET_ON_FORK, &seven) == 0);
    pid_t const plain = fork();
    if (plain == 0) {
        expect_class(SCHED_OTHER, 0);
        _exit(0);
    }
    EXPECT(waitpid(plain, &status, 0) == plain && status == 0);
}

int main(void) {
    EXPECT(ask_kernel(SYS_sched_getaffinity, 0, sizeof recorded_on, (long)&recorded_on) > 0);
    classes();
    deadline_class();
    processors();
    attributes_of_threads();
    inheritance();
    return 0;
}
