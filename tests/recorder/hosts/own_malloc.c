/* A program with a malloc of its own, which works from main on, but not while no call needs memory. */

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stddef.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int is_ready = 0;
static _Alignas(16) char memory[1 << 22];
static size_t used = 0;

static void* take(size_t alignment, size_t size) {
    if (!is_ready) {
        static char const message[] = "malloc was called when it must not be\n";
        (void)!write(STDOUT_FILENO, message, sizeof message - 1);
        _exit(9);
    }
    size_t const begin = (used + alignment - 1) / alignment * alignment;
    if (begin + size > sizeof memory) {
        errno = ENOMEM;
        return NULL;
    }
    used = begin + size;
    return memory + begin;
}

void* malloc(size_t size) {
    return take(16, size);
}
void free(void* block) {
    (void)block;
}
void* calloc(size_t count, size_t size) {
    return take(16, count * size); /* taken once, so it is still zero */
}
void* realloc(void* block, size_t size) {
    char* const copy = take(16, size);
    if (copy && block && (char*)block + size <= memory + sizeof memory)
        memmove(copy, block, size);
    return copy;
}
void* memalign(size_t alignment, size_t size) {
    return take(alignment, size);
}
void* aligned_alloc(size_t alignment, size_t size) {
    return take(alignment, size);
}
int posix_memalign(void** block, size_t alignment, size_t size) {
    *block = take(alignment, size);
    return *block ? 0 : ENOMEM;
}

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void nothing(void) {}

static void* lock_often(void* argument) {
    for (int i = 0; i < 80000; ++i) { /* more than fits into one piece of the recorder's file */
        pthread_mutex_lock(&mutex);
        pthread_mutex_unlock(&mutex);
    }
    return argument;
}

static void calls_without_memory(void) {
    struct timespec const moment = {0, 1};
    sem_t semaphore;
    char text[8];
    sem_init(&semaphore, 0, 1);
    sem_wait(&semaphore);
    sem_destroy(&semaphore);
    pthread_once(&once, nothing);
    sched_yield();
    nanosleep(&moment, NULL);
    int const file = open("/proc/self/stat", O_RDONLY);
    (void)!read(file, text, sizeof text);
    close(file);
    lock_often(NULL);
    pid_t const child = fork();
    if (child == 0) {
        lock_often(NULL);
        _exit(0);
    }
    waitpid(child, NULL, 0);
}

int main(void) {
    is_ready = 1;
    pthread_t thread;
    pthread_create(&thread, NULL, lock_often, NULL);
    pthread_join(thread, NULL);
    is_ready = 0;
    calls_without_memory();
    is_ready = 1;
    return 0;
}
