#include <atomic>
#include <cstdint>
#include <thread>

#include <pthread.h>

#include "calibrate/probes.h"
#include "calibrate/statistics.h"
#include "measure/affinity.h"
#include "measure/clock.h"

namespace parcast::calibrate {

namespace {

// A dependent chain in registers, some 2 ns a step.
std::uint64_t work(std::uint64_t chain, int steps) {
    for (int step = 0; step < steps; ++step) {
        chain ^= chain >> 12;
        chain ^= chain << 25;
        chain ^= chain >> 27;
    }
    return chain;
}

// On cache lines of their own.
struct HotWords {
    alignas(64) pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    alignas(64) pthread_rwlock_t read_lock = PTHREAD_RWLOCK_INITIALIZER;
    alignas(64) std::atomic<std::uint64_t> word{0};
};

void use(HotWords& words, HotLock lock) {
    switch (lock) {
        case HotLock::mutex:
            pthread_mutex_lock(&words.mutex);
            pthread_mutex_unlock(&words.mutex);
            return;
        case HotLock::read_lock:
            pthread_rwlock_rdlock(&words.read_lock);
            pthread_rwlock_unlock(&words.read_lock);
            return;
        case HotLock::word: words.word.fetch_add(1); return;
    }
}

// Threads that begin each sample together.
class Start {
public:
    explicit Start(std::size_t threads) : threads_(threads) {}
    void wait(std::size_t sample) {
        ++arrived_;
        while (arrived_.load() < threads_ * (sample + 1)) {
        }
    }

private:
    std::size_t threads_;
    std::atomic<std::size_t> arrived_{0};
};

}  // namespace

std::vector<double> hot_operations(HotLock lock, std::span<unsigned const> cpus, int work_steps,
                                   std::size_t count) {
    constexpr int operations = 1000;
    HotWords words;
    Start start(cpus.size());
    std::vector<std::vector<double>> times(cpus.size(), std::vector<double>(count));
    std::atomic<std::uint64_t> result{0};
    {
        std::vector<std::jthread> threads;
        for (std::size_t own = 0; own < cpus.size(); ++own)
            threads.push_back(measure::thread_on(cpus[own], [&, own] {
                std::uint64_t chain = own + 1;
                for (std::size_t sample = 0; sample < count; ++sample) {
                    start.wait(sample);
                    std::int64_t const begin = measure::wall_ns();
                    for (int i = 0; i < operations; ++i) {
                        use(words, lock);
                        chain = work(chain, work_steps);
                    }
                    times[own][sample] = static_cast<double>(measure::wall_ns() - begin) / operations;
                }
                result += chain;
            }));
    }
    std::vector<double> means(count);
    for (std::size_t sample = 0; sample < count; ++sample) {
        for (auto const& of_thread : times)
            means[sample] += of_thread[sample];
        means[sample] /= static_cast<double>(cpus.size());
    }
    return means;
}

std::vector<double> hot_hand_overs(HotLock lock, std::span<unsigned const> cpus, std::size_t count) {
    constexpr int some_200_ns = 100;
    auto const alone = hot_operations(lock, cpus.first(1), some_200_ns, count);
    auto together = hot_operations(lock, cpus, some_200_ns, count);
    double const own_ns = summarize(alone).median;
    for (double& each : together)
        each -= own_ns;
    return together;
}

}  // namespace parcast::calibrate
