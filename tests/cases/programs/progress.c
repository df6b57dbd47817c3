/* Two workers, and a thread that prints how far they are until main cancels it. */
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

#include "work_loop.h"

static void* report(void* unused) {
    for (;;) {
        puts("at work");
        usleep(100000);
    }
    return unused;
}

static void* search(void* unused) {
    work(100000000);
    return unused;
}

int main(void) {
    pthread_t reporter, workers[2];
    pthread_create(&reporter, NULL, report, NULL);
    for (int i = 0; i < 2; ++i)
        pthread_create(&workers[i], NULL, search, NULL);
    for (int i = 0; i < 2; ++i)
        pthread_join(workers[i], NULL);
    pthread_cancel(reporter);
    pthread_join(reporter, NULL);
    return 0;
}
