#include "calibrate/probes.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <thread>

#include <sched.h>
#include <sys/resource.h>

#include "calibrate/futex_word.h"
#include "measure/affinity.h"
#include "measure/clock.h"

namespace parcast::calibrate {

namespace {

// Needs no privilege. The calling thread goes back when the object ends.
class BatchClass {
public:
    BatchClass() { set(SCHED_BATCH); }
    ~BatchClass() { set(SCHED_OTHER); }
    BatchClass(BatchClass const&) = delete;
    BatchClass& operator=(BatchClass const&) = delete;

private:
    static void set(int policy) {
        sched_param const none{};
        sched_setscheduler(0, policy, &none);
    }
};

long context_switches() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_nvcsw + usage.ru_nivcsw;
}

// The word counts the hand-offs: at an even count it is the first side's turn. Only its hand-overs are timed.
// The word orders their accesses to `released_ns`; `woken_ns` is set after the release, and may be read
// before.
struct Turns {
    FutexWord word;
    std::int64_t released_ns = 0;
    std::atomic<std::int64_t> woken_ns = 0;  // after the call that wakes; 0 until it has returned
};

void hand_over(Turns& turns, std::uint32_t next) {
    turns.woken_ns.store(0, std::memory_order_relaxed);
    turns.released_ns = measure::wall_ns();
    turns.word.store(next);
    turns.word.wake(1);
    turns.woken_ns.store(measure::wall_ns(), std::memory_order_relaxed);
}

void note_hand_over(Turns const& turns, HandOffs& result) {
    std::int64_t const running = measure::wall_ns();
    // Who wakes may be preempted in the middle of its call after all.
    std::int64_t const woken = turns.woken_ns.load(std::memory_order_relaxed);
    if (woken == 0)
        return;
    result.wake_calls_ns.push_back(static_cast<double>(woken - turns.released_ns));
    result.switches_ns.push_back(static_cast<double>(running - woken));
}

constexpr int yields_a_sample = 200;

double time_of_yields_ns() {
    std::int64_t const start = measure::wall_ns();
    for (int yield = 0; yield < yields_a_sample; ++yield)
        sched_yield();
    return static_cast<double>(measure::wall_ns() - start);
}

}  // namespace

HandOffs hand_offs(unsigned cpu, std::size_t count) {
    HandOffs result;
    result.wake_calls_ns.reserve(count);
    result.switches_ns.reserve(count);
    Turns turns;
    auto const last = static_cast<std::uint32_t>(2 * count);
    {
        // Both sides are new threads: one that has run for a while is preempted by whom it wakes.
        std::jthread const woken = measure::thread_on(cpu, [&] {
            BatchClass const batch;
            for (std::uint32_t turn = 0; turn < last; turn += 2) {
                turns.word.wait_while(turn);
                note_hand_over(turns, result);
                turns.word.store(turn + 2);
                turns.word.wake(1);
            }
        });
        std::jthread const waker = measure::thread_on(cpu, [&] {
            BatchClass const batch;
            sched_yield();  // the other side goes to sleep before the first hand-over
            for (std::uint32_t turn = 0; turn < last; turn += 2) {
                hand_over(turns, turn + 1);
                turns.word.wait_while(turn + 1);
            }
        });
    }
    return result;
}

std::vector<double> yield_switches(unsigned cpu, std::size_t count) {
    std::vector<double> alone;
    std::vector<double> switches;
    {
        std::jthread const first = measure::thread_on(cpu, [&] {
            for (std::size_t i = 0; i < count; ++i)
                alone.push_back(time_of_yields_ns() / yields_a_sample);
            std::atomic<bool> has_ended = false;
            std::jthread const second = measure::thread_on(cpu, [&] {
                while (!has_ended.load(std::memory_order_relaxed))
                    sched_yield();
            });
            for (double const yield_ns : alone) {
                // Each switch belongs to a yield of one of the two threads.
                long const before = context_switches();
                double const elapsed = time_of_yields_ns();
                auto const made = static_cast<double>(context_switches() - before);
                if (made > 0)
                    switches.push_back(elapsed / made - yield_ns);
            }
            has_ended = true;
        });
    }
    return switches;
}

WakeUps wake_ups(unsigned waker, unsigned sleeper, Duration idle, std::size_t count) {
    WakeUps result;
    FutexWord word;
    std::atomic<std::uint32_t> asleep = 0;  // sleeps begun
    std::atomic<std::int64_t> running_ns = 0;
    auto const last = static_cast<std::uint32_t>(count);
    measure::Pinned const here(waker);
    std::jthread const other = measure::thread_on(sleeper, [&] {
        for (std::uint32_t turn = 0; turn < last; ++turn) {
            asleep.store(turn + 1, std::memory_order_release);
            word.wait_while(turn);
            running_ns.store(measure::wall_ns(), std::memory_order_release);
        }
    });
    for (std::uint32_t turn = 0; turn < last; ++turn) {
        while (asleep.load(std::memory_order_acquire) != turn + 1) {
        }
        running_ns.store(0, std::memory_order_relaxed);
        measure::spin_until(measure::wall_ns() + idle.ns);
        std::int64_t const released = measure::wall_ns();
        word.store(turn + 1);
        word.wake(1);
        std::int64_t const woken = measure::wall_ns();
        std::int64_t running = 0;
        while ((running = running_ns.load(std::memory_order_acquire)) == 0) {
        }
        result.latencies_ns.push_back(static_cast<double>(running - released));
        result.wake_calls_ns.push_back(static_cast<double>(woken - released));
    }
    return result;
}

std::vector<double> wake_all_calls(unsigned waker, std::vector<unsigned> const& sleepers, std::size_t waiters,
                                   std::size_t count) {
    constexpr std::int64_t time_to_fall_asleep_ns = 100'000;
    FutexWord word;
    std::atomic<std::size_t> asleep = 0;  // sleeps begun, of all
    auto const last = static_cast<std::uint32_t>(count);
    measure::Pinned const here(waker);
    std::vector<std::jthread> others;
    for (std::size_t i = 0; i < waiters; ++i) {
        others.push_back(measure::thread_on(sleepers[i % sleepers.size()], [&] {
            for (std::uint32_t turn = 0; turn < last; ++turn) {
                asleep.fetch_add(1);
                word.wait_while(turn);
            }
        }));
    }
    std::vector<double> calls;
    for (std::uint32_t turn = 0; turn < last; ++turn) {
        while (asleep.load() != waiters * (turn + 1)) {
        }
        measure::spin_until(measure::wall_ns() + time_to_fall_asleep_ns);
        std::int64_t const released = measure::wall_ns();
        word.store(turn + 1);
        word.wake();
        calls.push_back(static_cast<double>(measure::wall_ns() - released));
    }
    return calls;
}

}  // namespace parcast::calibrate
