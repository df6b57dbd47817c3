#include "workloads.h"

#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <unistd.h>
#include <chrono>

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
    static std::vector<Workload> const all = {{"lock+unlock", lock_pair},
                                              {"post+wait", semaphore_pair},
                                              {"read", short_read},
                                              {"yield", lonely_yield},
                                              {"create+join", create_and_join},
                                              {"condition hand-over", condition_hand_over}};
    return all;
}

}  // namespace parcast::bench
