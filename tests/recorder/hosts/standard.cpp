// std::thread, std::mutex, std::condition_variable.
#include <condition_variable>
#include <mutex>
#include <thread>

#include "host.h"

static std::mutex mutex;
static std::condition_variable condition;
static bool ready = false;

static void hand_over(int, double) {
    std::lock_guard const lock(mutex);
    ready = true;
    condition.notify_one();
}

int main() {
    std::unique_lock lock(mutex);
    std::thread thread(hand_over, 1, 2.0);
    let_others_wait();
    condition.wait(lock, [] { return ready; });
    lock.unlock();
    thread.join();
    return 0;
}
