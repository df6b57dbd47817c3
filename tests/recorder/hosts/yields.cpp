// Threads that yield: "barrier" waits politely in std::barrier, which yields before it blocks; "polling"
// yields between looks at a flag under a lock, and never blocks.
#include <barrier>
#include <cstring>
#include <mutex>
#include <thread>

#include "host.h"

static int phases = 20;

static void meet() {
    std::barrier<> barrier(2);
    auto const arrive = [&] {
        for (int phase = 0; phase < phases; ++phase)
            barrier.arrive_and_wait();
    };
    std::thread other(arrive);
    arrive();
    other.join();
}

static void poll() {
    std::mutex mutex;
    bool is_done = false;
    std::thread other([&] {
        for (long volatile i = 0; i < 20'000'000; ++i) {
        }
        std::lock_guard const lock(mutex);
        is_done = true;
    });
    auto const look = [&] {
        std::lock_guard const lock(mutex);
        return is_done;
    };
    while (!look())
        std::this_thread::yield();
    other.join();
}

int main(int argc, char** argv) {
    bool const is_polling = argc > 1 && std::strcmp(argv[1], "polling") == 0;
    is_polling ? poll() : meet();
}
