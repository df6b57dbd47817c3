// A dozen small programs in one, by name. Each prints what it did, and whether errno stayed what it was: the
// same with and without the recorder, whatever the recorder is refused (faults_test.cpp).

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>
#include <atomic>
#include <cerrno>
#include <condition_variable>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <future>
#include <mutex>
#include <thread>
#include <vector>

namespace {

constexpr int own_errno = 77;

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
long counted = 0;

void count(int times) {
    for (int i = 0; i < times; ++i) {
        pthread_mutex_lock(&mutex);
        ++counted;
        pthread_mutex_unlock(&mutex);
    }
}

void* count_hundred(void*) {
    count(100);
    return nullptr;
}

template <int threads>
long run_threads(void* (*routine)(void*)) {
    pthread_t all[threads];
    for (pthread_t& thread : all)
        pthread_create(&thread, nullptr, routine, nullptr);
    for (pthread_t const thread : all)
        pthread_join(thread, nullptr);
    return counted;
}

long locks() {
    return run_threads<3>(count_hundred);
}

// More words than one piece of the file holds.
long many_locks() {
    count(80000);
    return counted;
}

pthread_barrier_t barrier;

void* meet_and_count(void*) {
    pthread_barrier_wait(&barrier);
    return count_hundred(nullptr);
}

// More at once than a block of the recorder's memory for threads holds.
long many_threads() {
    pthread_barrier_init(&barrier, nullptr, 70);
    return run_threads<70>(meet_and_count);
}

pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
int queued = 0;

void* take_twenty(void*) {
    for (int taken = 0; taken < 20; ++taken) {
        pthread_mutex_lock(&mutex);
        while (queued == 0)
            pthread_cond_wait(&condition, &mutex);
        --queued;
        ++counted;
        pthread_mutex_unlock(&mutex);
    }
    return nullptr;
}

long conditions() {
    pthread_t taker;
    pthread_create(&taker, nullptr, take_twenty, nullptr);
    for (int put = 0; put < 20; ++put) {
        pthread_mutex_lock(&mutex);
        ++queued;
        pthread_cond_signal(&condition);
        pthread_mutex_unlock(&mutex);
        sched_yield();
    }
    pthread_join(taker, nullptr);
    return counted;
}

sem_t ping;
sem_t pong;
pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
pthread_once_t once = PTHREAD_ONCE_INIT;

void count_once() {
    counted += 1000;
}

void* answer(void*) {
    for (int i = 0; i < 20; ++i) {
        sem_wait(&ping);
        pthread_rwlock_wrlock(&rwlock);
        ++counted;
        pthread_rwlock_unlock(&rwlock);
        pthread_once(&once, count_once);
        sem_post(&pong);
    }
    return nullptr;
}

long semaphores() {
    sem_init(&ping, 0, 0);
    sem_init(&pong, 0, 0);
    pthread_t thread;
    pthread_create(&thread, nullptr, answer, nullptr);
    for (int i = 0; i < 20; ++i) {
        sem_post(&ping);
        sem_wait(&pong);
        pthread_rwlock_rdlock(&rwlock);
        pthread_rwlock_unlock(&rwlock);
        pthread_once(&once, count_once);
    }
    pthread_join(thread, nullptr);
    return counted;
}

long files() {
    int ends[2];
    if (pipe(ends) != 0)
        return -1;
    char text[6] = {};
    pollfd readable = {ends[0], POLLIN, 0};
    for (int i = 0; i < 10; ++i) {
        counted += write(ends[1], "hello", 5);
        counted += poll(&readable, 1, 1000);
        counted += read(ends[0], text, 5);
    }
    close(ends[0]);
    close(ends[1]);
    int const lowest = open("/dev/null", O_RDWR);
    counted += lowest * 1000 + (std::strcmp(text, "hello") == 0);
    close(lowest);
    return counted;
}

int status_of(pid_t child) {
    int status = 0;
    return waitpid(child, &status, 0) == child && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

alignas(16) char child_stack[16 * 1024];

int count_in_child(void*) {
    count_hundred(nullptr);
    return static_cast<int>(counted % 251);
}

long children() {
    count_hundred(nullptr);
    pid_t const forked = fork();
    if (forked == 0)
        _exit(static_cast<int>(run_threads<2>(count_hundred) % 251));
    int const cloned = clone(count_in_child, child_stack + sizeof child_stack, SIGCHLD, nullptr);
    long const statuses = status_of(forked) * 1000L + status_of(cloned);
    return statuses * 1000 + counted;
}

long execution(char const* program) {
    count_hundred(nullptr);
    char* const arguments[] = {const_cast<char*>(program), const_cast<char*>("locks"), nullptr};
    pid_t spawned = 0;
    if (posix_spawn(&spawned, program, nullptr, nullptr, arguments, environ) != 0 || status_of(spawned) != 0)
        return -1;
    execl("/nowhere/at/all", "nowhere", nullptr);
    errno = own_errno;
    execv(program, arguments);
    return -2;
}

pthread_key_t key;
std::atomic<int> detached_are_done = 0;

void lock_at_end(void* value) {
    count(1);
    pthread_setspecific(key, value);
}

void* end_by_cancel(void*) {
    pthread_setspecific(key, &key);
    for (;;)
        pause();
}

void* end_detached(void*) {
    pthread_setspecific(key, &key);
    ++detached_are_done;
    pthread_exit(nullptr);
}

long ends() {
    pthread_key_create(&key, lock_at_end);
    pthread_t cancelled;
    pthread_create(&cancelled, nullptr, end_by_cancel, nullptr);
    pthread_t detached;
    pthread_create(&detached, nullptr, end_detached, nullptr);
    pthread_join(detached, nullptr);
    sched_yield();
    pthread_cancel(cancelled);
    void* result = nullptr;
    pthread_join(cancelled, &result);
    return counted + (result == PTHREAD_CANCELED ? 100 : 0) + detached_are_done;
}

void* count_with_little_stack(void*) {
    count(3);
    sched_yield();
    return nullptr;
}

long small_stacks() {
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, static_cast<std::size_t>(PTHREAD_STACK_MIN));
    for (int i = 0; i < 3; ++i) {
        pthread_t thread;
        pthread_create(&thread, &attributes, count_with_little_stack, nullptr);
        pthread_join(thread, nullptr);
    }
    return counted;
}

sig_atomic_t volatile handled = 0;

void lock_in_handler(int) {
    static pthread_mutex_t own = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&own);
    handled = handled + 1;
    pthread_mutex_unlock(&own);
}

long signals() {
    struct sigaction action = {};
    action.sa_handler = lock_in_handler;
    sigaction(SIGUSR1, &action, nullptr);
    for (int i = 0; i < 20; ++i) {
        count(1);
        raise(SIGUSR1);
    }
    return counted * 1000 + handled;
}

long standard() {
    std::mutex lock;
    std::condition_variable changed;
    int turn = 0;
    std::thread other([&] {
        std::unique_lock<std::mutex> guard(lock);
        changed.wait(guard, [&] { return turn == 1; });
        turn = 2;
        changed.notify_all();
    });
    {
        std::unique_lock<std::mutex> guard(lock);
        turn = 1;
        changed.notify_all();
        changed.wait(guard, [&] { return turn == 2; });
    }
    other.join();
    return turn + std::async(std::launch::async, [] { return 40; }).get();
}

struct Program {
    char const* name;
    long (*run)();
};
constexpr Program programs[] = {
    {"locks", locks},
    {"many_locks", many_locks},
    {"many_threads", many_threads},
    {"conditions", conditions},
    {"semaphores", semaphores},
    {"files", files},
    {"children", children},
    {"ends", ends},
    {"small_stacks", small_stacks},
    {"signals", signals},
    {"standard", standard},
};

int print(long result) {
    std::printf("%ld, errno %d\n", result, errno);
    return result < 0 ? 1 : 0;
}

}  // namespace

int main(int, char** arguments) {
    errno = own_errno;
    for (Program const& program : programs)
        if (std::strcmp(program.name, arguments[1]) == 0)
            return print(program.run());
    return print(execution(arguments[0]));
}
