// A signal handler takes a lock, wherever it interrupts the program; another leaves a wait by siglongjmp.
// With the argument "die", the program kills itself in the middle.
#include <pthread.h>
#include <semaphore.h>
#include <sys/time.h>
#include <csetjmp>
#include <csignal>

static pthread_mutex_t in_handler = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t in_main = PTHREAD_MUTEX_INITIALIZER;
static int volatile interruptions = 0;
static sigjmp_buf escape;

static void take_lock(int) {
    pthread_mutex_lock(&in_handler);
    pthread_mutex_unlock(&in_handler);
    interruptions = interruptions + 1;
}

static void leave_wait(int) {
    siglongjmp(escape, 1);
}

int main(int count, char**) {
    signal(SIGALRM, take_lock);
    itimerval const often = {{0, 200}, {0, 200}};
    setitimer(ITIMER_REAL, &often, nullptr);
    while (interruptions < 200) {
        pthread_mutex_lock(&in_main);
        pthread_mutex_unlock(&in_main);
    }
    if (count > 1)
        raise(SIGKILL);
    itimerval const never = {};
    setitimer(ITIMER_REAL, &never, nullptr);

    sem_t never_posted;
    sem_init(&never_posted, 0, 0);
    signal(SIGALRM, leave_wait);
    itimerval const soon = {{0, 0}, {0, 5000}};
    setitimer(ITIMER_REAL, &soon, nullptr);
    if (sigsetjmp(escape, 1) == 0)
        sem_wait(&never_posted);
    pthread_mutex_lock(&in_main);
    pthread_mutex_unlock(&in_main);
    return 7;
}
