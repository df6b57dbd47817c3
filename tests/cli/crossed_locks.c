// Two threads take two locks in opposite order. On one CPU the first is done before the second begins; on
// two they hold one lock each and wait for the other.

#include <pthread.h>
#include <time.h>

static pthread_mutex_t left = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t right = PTHREAD_MUTEX_INITIALIZER;

static void work_500_us(void) {
    struct timespec start, now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &start);
    do {
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    } while ((now.tv_sec - start.tv_sec) * 1000000000L + now.tv_nsec - start.tv_nsec < 500000);
}

static void* from_left(void* unused) {
    pthread_mutex_lock(&left);
    work_500_us();
    pthread_mutex_lock(&right);
    pthread_mutex_unlock(&right);
    pthread_mutex_unlock(&left);
    return unused;
}

static void* from_right(void* unused) {
    pthread_mutex_lock(&right);
    work_500_us();
    pthread_mutex_lock(&left);
    pthread_mutex_unlock(&left);
    pthread_mutex_unlock(&right);
    return unused;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, NULL, from_left, NULL);
    pthread_create(&second, NULL, from_right, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
}
