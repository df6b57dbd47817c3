// Preloaded: binds the threads that a program creates to its CPUs in turn, so that no scheduler can leave a
// CPU idle while two threads share another one. What that changes is the cost of where the kernel puts
// threads.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

typedef void* (*Body)(void*);
typedef int (*Create)(pthread_t*, pthread_attr_t const*, Body, void*);

struct Start {
    Body body;
    void* argument;
    unsigned turn;
};

static cpu_set_t allowed;
static Create create;
static atomic_uint turns;

__attribute__((constructor)) static void look(void) {
    sched_getaffinity(0, sizeof allowed, &allowed);
    create = (Create)dlsym(RTLD_NEXT, "pthread_create");
}

static void bind(unsigned turn) {
    unsigned left = turn % (unsigned)CPU_COUNT(&allowed);
    for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
        if (CPU_ISSET(cpu, &allowed) && left-- == 0) {
            cpu_set_t one;
            CPU_ZERO(&one);
            CPU_SET(cpu, &one);
            sched_setaffinity(0, sizeof one, &one);
            return;
        }
    }
}

static void* run(void* argument) {
    struct Start const start = *(struct Start*)argument;
    free(argument);
    bind(start.turn);
    return start.body(start.argument);
}

int pthread_create(pthread_t* thread, pthread_attr_t const* attributes, Body body, void* argument) {
    struct Start* const start = malloc(sizeof *start);
    if (!start)
        return create(thread, attributes, body, argument);
    *start = (struct Start){body, argument, atomic_fetch_add(&turns, 1)};
    int const failure = create(thread, attributes, run, start);
    if (failure)
        free(start);
    return failure;
}
