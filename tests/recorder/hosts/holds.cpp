// Two mutexes: one that is locked and released in quick succession, and one that is held for 5 us each time.
// argv[1]: how often the first one.
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

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

}  // namespace

int main(int, char** arguments) {
    for (long i = 0; i < atol(arguments[1]); ++i) {
        pthread_mutex_lock(&brief);
        sum = sum + i;
        pthread_mutex_unlock(&brief);
    }
    for (int i = 0; i < 200; ++i) {
        pthread_mutex_lock(&held);
        compute_for(5'000);
        pthread_mutex_unlock(&held);
    }
}
