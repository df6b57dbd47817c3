// Four workers and a thread that wakes every 10 ms to look at a flag: 0 by a timed condition, 1 by nanosleep.
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>
#include "work_loop.h"
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int stop;
static int mode;
static void* hb(void* a) {
    if (mode == 0) {
        pthread_mutex_lock(&m);
        while (!stop) {
            struct timespec t;
            clock_gettime(CLOCK_REALTIME, &t);
            t.tv_nsec += 10000000;
            if (t.tv_nsec > 999999999) {
                t.tv_nsec -= 1000000000;
                t.tv_sec++;
            }
            pthread_cond_timedwait(&c, &m, &t);
        }
        pthread_mutex_unlock(&m);
    } else
        while (!*(int volatile*)&stop) {
            struct timespec t = {0, 10000000};
            nanosleep(&t, 0);
        }
    return 0;
}
static void* w(void* a) {
    work(16000000);
    return 0;
}
int main(int n, char** v) {
    mode = v[1][0] - '0';
    pthread_t h, t[4];
    pthread_create(&h, 0, hb, 0);
    for (int i = 0; i < 4; i++)
        pthread_create(t + i, 0, w, 0);
    for (int i = 0; i < 4; i++)
        pthread_join(t[i], 0);
    pthread_mutex_lock(&m);
    stop = 1;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    pthread_join(h, 0);
    return 0;
}
