#include "workloads.h"

#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <unistd.h>
#include <x86intrin.h>
#include <array>
#include <chrono>

#include "instrumented_calls.h"

namespace parcast::bench {
namespace {

template <class Operation>
double measure(int operations, Operation&& operation) {
    auto const begin = std::chrono::steady_clock::now();
    for (int i = 0; i < operations; ++i)
        operation();
    std::chrono::duration<double, std::nano> const elapsed = std::chrono::steady_clock::now() - begin;
    return elapsed.count() / operations;
}

double two_counter_reads() {
    unsigned long long sum = 0;
    double const ns = measure(500'000, [&] {
        sum += __rdtsc();
        sum += __rdtsc();
    });
    [[maybe_unused]] unsigned long long const volatile used = sum;
    return ns;
}

double lock_pair() {
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    return measure(500'000, [&] {
        pthread_mutex_lock(&mutex);
        pthread_mutex_unlock(&mutex);
    });
}

double semaphore_pair() {
    sem_t semaphore;
    sem_init(&semaphore, 0, 0);
    return measure(500'000, [&] {
        sem_post(&semaphore);
        sem_wait(&semaphore);
    });
}

constexpr int instrumented_calls = 500'000;

// ns of one of them, from below so many.
double instrumented_call_at(int depth) {
    return measure(1, [&] { call_instrumented(depth, instrumented_calls); }) / instrumented_calls;
}

double instrumented_call() {
    return instrumented_call_at(2);
}

double call_beyond_depth() {
    return instrumented_call_at(30);
}

// One byte that is there: the shortest call that does I/O.
double short_read() {
    int const zero = open("/dev/zero", O_RDONLY);
    double const ns = measure(200'000, [&] {
        char byte;
        (void)!read(zero, &byte, 1);
    });
    close(zero);
    return ns;
}

// Nobody else is ready, so that it switches nothing.
double lonely_yield() {
    return measure(200'000, [] { sched_yield(); });
}

void* do_nothing(void*) {
    return nullptr;
}

double create_and_join() {
    return measure(3'000, [] {
        pthread_t thread;
        pthread_create(&thread, nullptr, do_nothing, nullptr);
        pthread_join(thread, nullptr);
    });
}

void* wait_for_all(void* barrier) {
    pthread_barrier_wait(static_cast<pthread_barrier_t*>(barrier));
    return nullptr;
}

double threads_at_once() {
    constexpr unsigned together = 225;
    std::array<pthread_t, together> threads;
    pthread_barrier_t barrier;
    pthread_barrier_init(&barrier, nullptr, together);
    double const ns = measure(1, [&] {
        for (pthread_t& thread : threads)
            pthread_create(&thread, nullptr, wait_for_all, &barrier);
        for (pthread_t const thread : threads)
            pthread_join(thread, nullptr);
    });
    pthread_barrier_destroy(&barrier);
    return ns / together;
}

struct PingPong {
    static constexpr int hand_overs = 20'000;
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
    int turn = 0;

    void play(int player) {
        pthread_mutex_lock(&mutex);
        for (int i = 0; i < hand_overs / 2; ++i) {
            while (turn != player)
                pthread_cond_wait(&condition, &mutex);
            turn = 1 - player;
            pthread_cond_signal(&condition);
        }
        pthread_mutex_unlock(&mutex);
    }
};

void* play_second(void* game) {
    static_cast<PingPong*>(game)->play(1);
    return nullptr;
}

double condition_hand_over() {
    PingPong game;
    return measure(1,
                   [&] {
                       pthread_t thread;
                       pthread_create(&thread, nullptr, play_second, &game);
                       game.play(0);
                       pthread_join(thread, nullptr);
                   }) /
           PingPong::hand_overs;
}

}  // namespace

std::vector<Workload> const& workloads() {
    static std::vector<Workload> const all = {
        {.name = "counter, twice", .ns_per_operation = two_counter_reads},
        {.name = "lock+unlock", .ns_per_operation = lock_pair, .most_dearer_ns = 35, .peer_sees_it = true},
        {.name = "post+wait", .ns_per_operation = semaphore_pair},
        {.name = "instrumented call", .ns_per_operation = instrumented_call, .most_dearer_ns = 35},
        {.name = "call beyond the depth", .ns_per_operation = call_beyond_depth, .most_dearer_ns = 3},
        {.name = "read", .ns_per_operation = short_read},
        {.name = "yield", .ns_per_operation = lonely_yield},
        {.name = "create+join", .ns_per_operation = create_and_join, .highest_ratio = 1.10},
        {.name = "225 threads together", .ns_per_operation = threads_at_once},
        {.name = "condition hand-over",
         .ns_per_operation = condition_hand_over,
         .highest_ratio = 1.20,
         .peer_sees_it = true}};
    return all;
}

}  // namespace parcast::bench
