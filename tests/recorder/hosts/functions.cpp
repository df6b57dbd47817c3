// Built with -finstrument-functions. Functions are left in every way that there is; a lock after each of them
// ends a piece of work.
#include <pthread.h>
#include <semaphore.h>
#include <csetjmp>
#include <csignal>
#include <cstdlib>
#include <cstring>

#define PLAIN __attribute__((no_instrument_function))
#define APART __attribute__((noinline))

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static sem_t never;
static sem_t waits;
static jmp_buf place;
static int volatile done = 0;

PLAIN static void mark() {
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
}

// The program's own frames lie between those of functions that are told apart.
APART static void leaf() {
    done = done + 1;
}
APART static void busy() {
    for (int i = 0; i < 20'000'000; ++i)
        done = done + 1;
}
APART static void twice() {
    leaf();
    leaf();
    done = done + 1;
}
static inline __attribute__((always_inline)) void inlined() {
    leaf();
    done = done + 1;
}
APART static void with_inlined() {
    inlined();
    inlined();
    leaf();
    done = done + 1;
}
APART static void thrower(int depth) {
    if (depth == 0)
        throw depth;
    thrower(depth - 1);
    done = done + 1;
}
APART static void catcher() {
    try {
        thrower(3);
    } catch (int) {
    }
    leaf();
    done = done + 1;
}
APART static void jumper(int depth) {
    if (depth == 0)
        longjmp(place, 1);
    jumper(depth - 1);
    done = done + 1;
}
APART static void lander() {
    if (setjmp(place) == 0)
        jumper(3);
    leaf();
    done = done + 1;
}
APART static void deep(int depth) {
    if (depth > 0)
        deep(depth - 1);
    done = done + 1;
}
APART static void deep_jump() {
    if (setjmp(place) == 0)
        jumper(40);
    leaf();
    done = done + 1;
}
static void handler(int) {
    leaf();
}
APART static void interrupted() {
    raise(SIGUSR1);
    leaf();
    done = done + 1;
}

static void* leaves(void*) {
    leaf();
    pthread_exit(nullptr);
}
static void clean_up(void*) {
    leaf();
}
static void* is_cancelled(void*) {
    pthread_cleanup_push(clean_up, nullptr);
    sem_post(&waits);
    sem_wait(&never);
    pthread_cleanup_pop(0);
    return nullptr;
}

PLAIN static void run_threads() {
    pthread_t thread;
    pthread_create(&thread, nullptr, leaves, nullptr);
    pthread_join(thread, nullptr);
    pthread_create(&thread, nullptr, is_cancelled, nullptr);
    sem_wait(&waits);
    pthread_cancel(thread);
    pthread_join(thread, nullptr);
}

PLAIN static void handle_on_stack_of_its_own() {
    static char memory[64 * 1024];
    stack_t stack = {};
    stack.ss_sp = memory;
    stack.ss_size = sizeof memory;
    sigaltstack(&stack, nullptr);
    struct sigaction action = {};
    action.sa_handler = handler;
    action.sa_flags = SA_ONSTACK;
    sigaction(SIGUSR1, &action, nullptr);
}

APART static void all() {
    void (*const steps[])() = {twice, with_inlined, catcher, lander, deep_jump, interrupted, busy};
    for (auto* const step : steps) {
        step();
        mark();
    }
    deep(40);
    mark();
}

int main() {
    sem_init(&never, 0, 0);
    sem_init(&waits, 0, 0);
    handle_on_stack_of_its_own();
    all();
    run_threads();
    leaf();
    mark();
    return EXIT_SUCCESS;
}
