// Two thousand threads, one after the other; the destructor of a thread-specific key takes a lock.
#include <pthread.h>
#include <cstdlib>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_key_t key;

static void lock_at_end(void*) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
}

static void* work(void* argument) {
    pthread_setspecific(key, argument);
    return nullptr;
}

int main() {
    pthread_key_create(&key, lock_at_end);
    for (int i = 0; i < 2000; ++i) {
        pthread_t thread;
        pthread_create(&thread, nullptr, work, &mutex);
        pthread_join(thread, nullptr);
    }
    return EXIT_SUCCESS;
}
