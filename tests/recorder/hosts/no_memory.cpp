// More threads at once than the recorder has memory for, on stacks that exist, when the process may map
// nothing more. Each takes a lock.

#include <pthread.h>
#include <sys/resource.h>
#include <unistd.h>
#include <cstdio>
#include <cstdlib>

namespace {

constexpr int thread_count = 100;
constexpr std::size_t stack_bytes = 128 * 1024;

alignas(4096) char stacks[thread_count][stack_bytes];
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_barrier_t all_alive;
int locked = 0;

void* work(void*) {
    pthread_barrier_wait(&all_alive);
    pthread_mutex_lock(&mutex);
    ++locked;
    pthread_mutex_unlock(&mutex);
    return nullptr;
}

// What the C library takes for the threads comes from its heap, which has this to give.
void fill_heap() {
    void* volatile pieces[thread_count];
    for (void* volatile& piece : pieces)
        piece = std::malloc(4096);
    for (void* const piece : pieces)
        std::free(piece);
}

rlim_t mapped_bytes() {
    unsigned long pages = 0;
    std::FILE* const file = std::fopen("/proc/self/statm", "r");
    if (!file || std::fscanf(file, "%lu", &pages) != 1)
        std::exit(2);
    std::fclose(file);
    return pages * static_cast<rlim_t>(sysconf(_SC_PAGESIZE));
}

}  // namespace

int main() {
    pthread_barrier_init(&all_alive, nullptr, thread_count + 1);
    fill_heap();
    rlim_t const enough = mapped_bytes();
    rlimit const limit = {enough, enough};
    if (setrlimit(RLIMIT_AS, &limit) != 0)
        return 2;
    pthread_t threads[thread_count];
    for (int i = 0; i < thread_count; ++i) {
        pthread_attr_t attributes;
        pthread_attr_init(&attributes);
        pthread_attr_setstack(&attributes, stacks[i], stack_bytes);
        if (pthread_create(&threads[i], &attributes, work, nullptr) != 0)
            return 3;
    }
    pthread_barrier_wait(&all_alive);
    for (pthread_t const thread : threads)
        pthread_join(thread, nullptr);
    return locked == thread_count ? EXIT_SUCCESS : EXIT_FAILURE;
}
