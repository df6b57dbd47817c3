#include "calibrate/probes.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <thread>

#include <pthread.h>
#include <sched.h>

#include "calibrate/statistics.h"
#include "core/ensure.h"
#include "measure/affinity.h"
#include "measure/clock.h"

namespace parcast::calibrate {

namespace {

constexpr std::int64_t time_to_block_ns = 50'000;
constexpr std::int64_t time_to_end_ns = 100'000;

class Mutex {
public:
    Mutex() = default;
    ~Mutex() { pthread_mutex_destroy(&mutex_); }
    Mutex(Mutex const&) = delete;
    Mutex& operator=(Mutex const&) = delete;
    void lock() { pthread_mutex_lock(&mutex_); }
    void unlock() { pthread_mutex_unlock(&mutex_); }

private:
    pthread_mutex_t mutex_ = PTHREAD_MUTEX_INITIALIZER;
};

// What reading the thread's CPU clock twice shows as elapsed.
double cpu_clock_cost_ns() {
    std::vector<double> costs;
    for (int i = 0; i < 101; ++i) {
        std::int64_t const before = measure::thread_cpu_ns();
        costs.push_back(static_cast<double>(measure::thread_cpu_ns() - before));
    }
    return summarize(std::move(costs)).median;
}

double cpu_time_of_lock_ns(Mutex& mutex) {
    std::int64_t const before = measure::thread_cpu_ns();
    mutex.lock();
    return static_cast<double>(measure::thread_cpu_ns() - before);
}

double cpu_time_of_unlock_ns(Mutex& mutex) {
    std::int64_t const before = measure::thread_cpu_ns();
    mutex.unlock();
    return static_cast<double>(measure::thread_cpu_ns() - before);
}

void* empty_body(void* ended) {
    static_cast<std::atomic<bool>*>(ended)->store(true, std::memory_order_release);
    return nullptr;
}

// Attributes of a thread that starts on that CPU.
class StartsOn {
public:
    explicit StartsOn(unsigned cpu) {
        pthread_attr_init(&attributes_);
        measure::CpuMask const mask({cpu});
        pthread_attr_setaffinity_np(&attributes_, measure::CpuMask::bytes(), mask.sets());
    }
    ~StartsOn() { pthread_attr_destroy(&attributes_); }
    StartsOn(StartsOn const&) = delete;
    StartsOn& operator=(StartsOn const&) = delete;
    pthread_attr_t const* get() const { return &attributes_; }

private:
    pthread_attr_t attributes_{};
};

}  // namespace

std::vector<double> uncontended_locks(unsigned cpu, std::size_t count) {
    constexpr int pairs = 1000;
    measure::Pinned const here(cpu);
    Mutex mutex;
    std::vector<double> samples;
    // With a second thread in the process the library takes the path of programs with threads.
    std::atomic<bool> has_ended = false;
    std::jthread const other([&] { has_ended.wait(false); });
    for (std::size_t i = 0; i < count; ++i) {
        std::int64_t const start = measure::wall_ns();
        for (int pair = 0; pair < pairs; ++pair) {
            mutex.lock();
            mutex.unlock();
        }
        samples.push_back(static_cast<double>(measure::wall_ns() - start) / pairs);
    }
    has_ended = true;
    has_ended.notify_all();
    return samples;
}

std::vector<double> contended_locks(unsigned holder, unsigned waiter, std::size_t count) {
    Mutex mutex;
    std::atomic<std::size_t> held = 0;    // times that the holder has taken the lock
    std::atomic<std::size_t> wanted = 0;  // times that the waiter has begun to
    std::atomic<std::size_t> got = 0;     // and has got and left it
    std::vector<double> waits(count);
    std::vector<double> samples;
    measure::Pinned const here(holder);
    std::jthread const other = measure::thread_on(waiter, [&] {
        for (std::size_t i = 0; i < count; ++i) {
            while (held.load() != i + 1) {
            }
            wanted.store(i + 1);
            waits[i] = cpu_time_of_lock_ns(mutex);
            mutex.unlock();
            got.store(i + 1);
        }
    });
    double const clock_ns = cpu_clock_cost_ns();
    for (std::size_t i = 0; i < count; ++i) {
        mutex.lock();
        held.store(i + 1);
        while (wanted.load() != i + 1) {
        }
        measure::spin_until(measure::wall_ns() + time_to_block_ns);
        double const release_ns = cpu_time_of_unlock_ns(mutex);
        while (got.load() != i + 1) {
        }
        samples.push_back(release_ns + waits[i] - 2 * clock_ns);
    }
    return samples;
}

ThreadLives thread_lives(unsigned creator, unsigned child, std::size_t count) {
    measure::Pinned const here(creator);
    StartsOn const attributes(child);
    ThreadLives lives;
    for (std::size_t i = 0; i < count; ++i) {
        std::atomic<bool> has_ended = false;
        pthread_t thread{};
        std::int64_t const start = measure::wall_ns();
        if (pthread_create(&thread, attributes.get(), empty_body, &has_ended) != 0)
            break;
        std::int64_t const created = measure::wall_ns();
        if (creator == child) {
            while (!has_ended.load(std::memory_order_acquire))
                sched_yield();
            sched_yield();
        } else {
            while (!has_ended.load(std::memory_order_acquire)) {
            }
        }
        std::int64_t const ended = measure::wall_ns();
        if (creator != child)
            measure::spin_until(measure::wall_ns() + time_to_end_ns);
        std::int64_t const joining = measure::wall_ns();
        pthread_join(thread, nullptr);
        std::int64_t const joined = measure::wall_ns();
        lives.creations_ns.push_back(static_cast<double>(created - start));
        lives.joins_ns.push_back(static_cast<double>(joined - joining));
        lives.lives_ns.push_back(static_cast<double>(ended - start + joined - joining));
    }
    return lives;
}

}  // namespace parcast::calibrate
