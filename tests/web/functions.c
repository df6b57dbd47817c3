// Two threads that parse and sum, built with -finstrument-functions: it is recorded which function works.

#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t total_mutex = PTHREAD_MUTEX_INITIALIZER;
static unsigned long total;

__attribute__((noinline)) static unsigned long parse(unsigned long rounds) {
    unsigned long volatile state = 1;
    for (unsigned long i = 0; i < rounds; ++i)
        state = state * 3 + i;
    return state;
}

__attribute__((noinline)) static unsigned long sum(unsigned long rounds) {
    unsigned long volatile state = 1;
    for (unsigned long i = 0; i < rounds; ++i)
        state = state + i;
    return state;
}

static unsigned long count_part(unsigned long rounds) {
    return parse(rounds) + sum(3 * rounds);
}

static void* work(void* argument) {
    unsigned long const rounds = *(unsigned long*)argument;
    for (int part = 0; part < 4; ++part) {
        unsigned long const counted = count_part(rounds);
        pthread_mutex_lock(&total_mutex);
        total += counted + parse(rounds / 8);
        pthread_mutex_unlock(&total_mutex);
    }
    return NULL;
}

int main(void) {
    unsigned long rounds[2] = {2000000, 4000000};
    pthread_t threads[2];
    for (int i = 0; i < 2; ++i)
        pthread_create(&threads[i], NULL, work, &rounds[i]);
    for (int i = 0; i < 2; ++i)
        pthread_join(threads[i], NULL);
    return printf("%d\n", total > 0) < 0;
}
