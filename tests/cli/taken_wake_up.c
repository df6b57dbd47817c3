// A relay: the main thread gives out a ticket, the first runner takes it and gives out another one for the
// second. On one CPU the first runner, which works before it waits, still waits first, since it was created
// first. In a replay on several CPUs the second one comes earlier and takes the ticket of the first, so that
// nobody gives out another: the direct model deadlocks, and the strict one does not.

#include <pthread.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ticket_given = PTHREAD_COND_INITIALIZER;
static int tickets;

static void work_500_us(void) {
    struct timespec start, now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &start);
    do {
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    } while ((now.tv_sec - start.tv_sec) * 1000000000L + now.tv_nsec - start.tv_nsec < 500000);
}

static void take_ticket(void) {
    pthread_mutex_lock(&lock);
    while (tickets == 0)
        pthread_cond_wait(&ticket_given, &lock);
    --tickets;
    pthread_mutex_unlock(&lock);
}

static void give_ticket(void) {
    pthread_mutex_lock(&lock);
    ++tickets;
    pthread_cond_signal(&ticket_given);
    pthread_mutex_unlock(&lock);
}

static void* run_first(void* unused) {
    work_500_us();
    take_ticket();
    give_ticket();
    return unused;
}

static void* run_second(void* unused) {
    take_ticket();
    return unused;
}

int main(void) {
    pthread_t first, second;
    alarm(10);  // on a busy CPU the second one may come first even in the recording
    pthread_create(&first, NULL, run_first, NULL);
    pthread_create(&second, NULL, run_second, NULL);
    nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
    give_ticket();
    pthread_join(first, NULL);
    pthread_join(second, NULL);
}
