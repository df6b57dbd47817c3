// Two mutexes: one that is locked and released in quick succession, and one that is held for 5 us each time.
// argv[1]: how often the first one. argv[2]: do it in a child as well.
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

namespace {

pthread_mutex_t brief = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t held = PTHREAD_MUTEX_INITIALIZER;
long volatile sum = 0;

long cpu_ns() {
    timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return time.tv_sec * 1'000'000'000 + time.tv_nsec;
}

void compute_for(long ns) {
    for (long const end = cpu_ns() + ns; cpu_ns() < end;) {
    }
}

void add_up(long count) {
    for (long i = 0; i < count; ++i) {
        pthread_mutex_lock(&brief);
        sum = sum + i;
        pthread_mutex_unlock(&brief);
    }
}

}  // namespace

int main(int count, char** arguments) {
    if (count > 2 && fork() == 0) {
        add_up(atol(arguments[1]));
        exit(0);
    }
    add_up(atol(arguments[1]));
    if (count > 2)
        wait(nullptr);
    for (int i = 0; i < 200; ++i) {
        pthread_mutex_lock(&held);
        compute_for(5'000);
        pthread_mutex_unlock(&held);
    }
}
