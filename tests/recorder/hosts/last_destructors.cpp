// The destructor of a thread-specific key sets the key again and takes a lock, in every round that there is.

#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <cstdlib>

namespace {

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
pthread_key_t key;
int rounds = 0;

void lock_again(void* value) {
    pthread_mutex_lock(&mutex);
    ++rounds;
    pthread_cond_signal(&condition);
    pthread_mutex_unlock(&mutex);
    sched_yield();
    pthread_setspecific(key, value);
}

void* work(void* argument) {
    pthread_setspecific(key, argument);
    return nullptr;
}

}  // namespace

int main() {
    pthread_key_create(&key, lock_again);
    pthread_t thread;
    pthread_create(&thread, nullptr, work, &mutex);
    pthread_join(thread, nullptr);
    return rounds == PTHREAD_DESTRUCTOR_ITERATIONS ? EXIT_SUCCESS : EXIT_FAILURE;
}
