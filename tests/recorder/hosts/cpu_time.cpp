// Four threads that compute and take locks, preempted many times on one CPU.
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static unsigned long total = 0;

static void* compute(void*) {
    for (int i = 0; i < 200; ++i) {
        unsigned long volatile sum = 0;
        for (unsigned long j = 0; j < 400'000; ++j)
            sum = sum + j;
        pthread_mutex_lock(&mutex);
        total += sum;
        pthread_mutex_unlock(&mutex);
    }
    return nullptr;
}

int main() {
    pthread_t threads[4];
    for (pthread_t& thread : threads)
        pthread_create(&thread, nullptr, compute, nullptr);
    for (pthread_t thread : threads)
        pthread_join(thread, nullptr);
    return 0;
}
