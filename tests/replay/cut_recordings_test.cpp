// Whatever ran replays: random programs, executed on one CPU and recorded as the recorder does it, cut off at
// any moment. The ordered model has to bring each of their threads to its end, on any number of CPUs.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <functional>
#include <optional>
#include <random>
#include <vector>

#include "simulate/simulate.h"
#include "support/operation_rows.h"

namespace parcast {
namespace {

using extract::Call;
using extract::Recording;

// A process with one CPU. Its threads call what a random number says, in orders that a program would not
// choose: they wait for what nobody gives, and end with locks. What a call does, and what the recorder writes
// about it, are steps of their own, and another thread may run in between.
class Host {
public:
    enum class Unlocks : std::uint8_t { all_recorded, some_lost };

    Host(unsigned seed, int steps, Unlocks unlocks = Unlocks::all_recorded)
        : dice_(seed), recording_(most_threads), unlocks_(unlocks) {
        for (std::size_t i = 0; i < kinds; ++i) {
            mutexes_.push_back(recording_.object(ObjectKind::mutex));
            conditions_.push_back(recording_.object(ObjectKind::condition));
            semaphores_.push_back(i == 0 ? recording_.object(ObjectKind::semaphore)
                                         : recording_.initialised(ObjectKind::semaphore, std::int64_t(i)));
            units_.push_back(i == 0 ? 2 : std::int64_t(i));
            futexes_.push_back(recording_.object(ObjectKind::futex));
        }
        barrier_ = recording_.initialised(ObjectKind::barrier, participants);
        site_ = recording_.site();
        begin(0);
        for (int step = 0; step < steps; ++step)
            if (!go_on())
                break;
        cut_off();
    }

    Recording& recording() { return recording_; }

private:
    static constexpr std::size_t kinds = 2;  // objects of each kind
    static constexpr std::size_t most_threads = 5;
    static constexpr std::int64_t participants = 2;
    static constexpr std::uint32_t nobody = 0xffffffff;

    using Action = std::function<void()>;
    using Condition = std::function<bool()>;
    struct Thread {
        bool lives = false;
        bool joined = false;
        Condition may_go;
        Action next;
        std::optional<Call> inside;  // a call that waits
        std::vector<std::size_t> held;
        bool woken = false;
        std::int64_t cpu_ns = 0;  // since its last event
    };

    std::size_t random(std::size_t below) { return dice_() % below; }
    std::int64_t now() { return now_ns_ += 1 + std::int64_t(random(40)); }

    void begin(std::size_t thread) {
        threads_[thread].lives = true;
        recording_.begin(thread, now());
        idle(thread);
    }

    void then(std::size_t thread, Action next) {
        when(thread, [] { return true; }, std::move(next));
    }
    void when(std::size_t thread, Condition may_go, Action next) {
        threads_[thread].may_go = std::move(may_go);
        threads_[thread].next = std::move(next);
    }
    void idle(std::size_t thread) {
        threads_[thread].inside.reset();
        then(thread, [=, this] { choose(thread); });
    }

    std::vector<std::size_t> ready_threads() const {
        std::vector<std::size_t> ready;
        for (std::size_t thread = 0; thread < most_threads; ++thread)
            if (threads_[thread].lives && threads_[thread].may_go())
                ready.push_back(thread);
        return ready;
    }

    bool go_on() {
        auto ready = ready_threads();
        if (ready.empty()) {
            now_ns_ += 200;  // times run out, waits end for no reason, and another process posts
            for (std::int64_t& units : units_)
                ++units;
            for (Thread& thread : threads_)
                thread.woken = true;
            ready = ready_threads();
        }
        if (ready.empty())
            return false;
        if (random(4) == 0 || std::ranges::find(ready, running_) == ready.end())
            running_ = ready[random(ready.size())];
        threads_[running_].cpu_ns += 10;
        Action const next = threads_[running_].next;
        next();
        return true;
    }

    void record(std::size_t thread, Call call) {
        call.cpu = std::exchange(threads_[thread].cpu_ns, 0);
        call.site = site_;
        recording_.add(thread, call);
    }
    void record_and_go_on(std::size_t thread, Call const& call) {
        record(thread, call);
        idle(thread);
    }
    // The thread waits in the call until `may_go`, does `action` and records the call.
    void wait(std::size_t thread, Call const& call, Condition may_go, Action action) {
        threads_[thread].inside = call;
        when(thread, std::move(may_go), [=, this] {
            action();
            Call done = *threads_[thread].inside;
            done.span = now() - done.at;
            then(thread, [=, this] { record_and_go_on(thread, done); });
        });
    }

    void choose(std::size_t thread) {
        auto& self = threads_[thread];
        std::size_t const which = random(kinds);
        switch (random(20)) {
            case 0:
            case 14:
            case 15: return lock(thread, which);
            case 1:
            case 16:
            case 17:
                if (self.held.empty())
                    return;
                if (unlocks_ == Unlocks::all_recorded || random(8) > 0)
                    record(thread,
                           {.kind = EventKind::unlock, .at = now(), .object = mutexes_[self.held.back()]});
                return then(thread, [=, this] {
                    owners_[threads_[thread].held.back()] = nobody;
                    threads_[thread].held.pop_back();
                    idle(thread);
                });
            case 2: return wait_for_condition(thread, which);
            case 3:
            case 4: return wake(thread, which, random(2) == 0);
            case 5: {
                Call const call{.kind = EventKind::semaphore_wait, .at = now(), .object = semaphores_[which]};
                return wait(
                    thread, call, [=, this] { return units_[which] > 0; }, [=, this] { --units_[which]; });
            }
            case 6:
            case 18:
                record(thread,
                       {.kind = EventKind::semaphore_post, .at = now(), .object = semaphores_[which]});
                return then(thread, [=, this] {
                    ++units_[which];
                    idle(thread);
                });
            case 7: return meet(thread);
            case 8: return create(thread);
            case 9: return join(thread);
            case 10: return wait_for_futex(thread, which);
            case 11: return wake_futex(thread, which);
            case 12:
                if (random(20) == 0)
                    ++units_[which];  // another process posts
                return;
            case 19: return wake_futex(thread, which);
            default:
                if (thread == 0 || random(20) > 0)
                    return;
                self.lives = false;  // perhaps with locks
                recording_.end(thread, now(), self.cpu_ns);
        }
    }

    void lock(std::size_t thread, std::size_t mutex) {
        auto& self = threads_[thread];
        bool const in_order = self.held.empty() || self.held.back() < mutex;
        if (!in_order)
            return;
        Call const call{.kind = EventKind::lock, .at = now(), .object = mutexes_[mutex]};
        auto const take = [=, this] {
            owners_[mutex] = std::uint32_t(thread);
            threads_[thread].held.push_back(mutex);
        };
        if (owners_[mutex] != nobody)
            return wait(thread, call, [=, this] { return owners_[mutex] == nobody; }, take);
        take();
        then(thread, [=, this] {
            Call done = call;
            done.at = now();
            record_and_go_on(thread, done);
        });
    }

    void wait_for_condition(std::size_t thread, std::size_t condition) {
        auto& self = threads_[thread];
        if (self.held.empty())
            return;
        std::size_t const mutex = self.held.back();
        bool const is_timed = random(3) > 0;
        Call const call{.kind = is_timed ? EventKind::timed_condition_wait : EventKind::condition_wait,
                        .at = now(),
                        .object = conditions_[condition],
                        .related = mutexes_[mutex],
                        .value = is_timed ? 100 : 0};
        self.woken = false;
        then(thread, [=, this] {
            owners_[mutex] = nobody;
            waiters_[condition].push_back(thread);
            auto const ends = [=, this] {
                bool const is_late = is_timed && now_ns_ > call.at + 100;
                return (threads_[thread].woken || is_late) && owners_[mutex] == nobody;
            };
            wait(thread, call, ends, [=, this] {
                owners_[mutex] = std::uint32_t(thread);
                std::erase(waiters_[condition], thread);
                if (!threads_[thread].woken)
                    threads_[thread].inside->outcome = Outcome::timed_out;
            });
        });
        self.inside = call;
    }

    void wake(std::size_t thread, std::size_t condition, bool all) {
        record(thread, {.kind = all ? EventKind::condition_broadcast : EventKind::condition_signal,
                        .at = now(),
                        .object = conditions_[condition]});
        then(thread, [=, this] {
            auto& waiters = waiters_[condition];
            while (!waiters.empty()) {
                threads_[waiters.front()].woken = true;
                waiters.erase(waiters.begin());
                if (!all)
                    break;
            }
            idle(thread);
        });
    }

    void wait_for_futex(std::size_t thread, std::size_t futex) {
        Call const call{.kind = EventKind::futex_wait, .at = now(), .object = futexes_[futex]};
        threads_[thread].woken = false;
        sleepers_[futex].push_back(thread);
        wait(
            thread, call, [=, this] { return threads_[thread].woken; },
            [=, this] { std::erase(sleepers_[futex], thread); });
    }

    void wake_futex(std::size_t thread, std::size_t futex) {
        auto& sleepers = sleepers_[futex];
        std::int64_t const woken = std::min<std::int64_t>(std::ssize(sleepers), 1 + std::int64_t(random(2)));
        for (std::int64_t i = 0; i < woken; ++i)
            threads_[sleepers[std::size_t(i)]].woken = true;
        sleepers.erase(sleepers.begin(), sleepers.begin() + woken);
        then(thread, [=, this] {
            record_and_go_on(
                thread,
                {.kind = EventKind::futex_wake, .at = now(), .object = futexes_[futex], .value = woken});
        });
    }

    void meet(std::size_t thread) {
        Call call{.kind = EventKind::barrier_wait, .at = now(), .object = barrier_};
        then(thread, [=, this] {
            std::int64_t const round = round_;
            if (++arrived_ < participants)
                return wait(thread, call, [=, this] { return round_ > round; }, [] {});
            arrived_ = 0;
            ++round_;
            Call last = call;
            last.value = 1;
            then(thread, [=, this] { record_and_go_on(thread, last); });
        });
        threads_[thread].inside = call;
    }

    void create(std::size_t thread) {
        if (created_ == most_threads)
            return;
        auto const child = created_++;
        recording_.create(thread, now(), std::uint32_t(child), std::exchange(threads_[thread].cpu_ns, 0));
        begin(child);
        idle(thread);
    }

    void join(std::size_t thread) {
        for (std::size_t child = 1; child < created_; ++child) {
            if (child == thread || threads_[child].joined)
                continue;
            threads_[child].joined = true;
            Call const call{.kind = EventKind::thread_join, .at = now(), .related = std::uint32_t(child)};
            return wait(thread, call, [=, this] { return !threads_[child].lives; }, [] {});
        }
    }

    void cut_off() {
        std::int64_t const end = now();
        for (std::size_t thread = 0; thread < created_; ++thread) {
            auto& self = threads_[thread];
            if (!self.lives)
                continue;
            if (self.inside) {
                Call call = *self.inside;
                call.span = end - call.at;
                call.outcome = Outcome::cut_off;
                record(thread, call);
            }
            recording_.end(thread, end, std::exchange(self.cpu_ns, 0), Outcome::cut_off);
        }
        auto& timeline = recording_.timeline();
        timeline.catalogue.threads.resize(created_);
        timeline.events.resize(created_);
    }

    std::minstd_rand dice_;
    Recording recording_;
    Unlocks unlocks_;
    std::array<Thread, most_threads> threads_;
    std::vector<std::uint32_t> mutexes_, conditions_, semaphores_, futexes_;
    std::vector<std::int64_t> units_;
    std::uint32_t barrier_ = 0;
    std::uint32_t site_ = 0;
    std::array<std::uint32_t, kinds> owners_{nobody, nobody};
    std::array<std::vector<std::size_t>, kinds> waiters_, sleepers_;
    std::int64_t arrived_ = 0;
    std::int64_t round_ = 0;
    std::size_t created_ = 1;
    std::size_t running_ = 0;
    std::int64_t now_ns_ = 0;
};

std::vector<Machine> machines_to_try() {
    std::vector<Machine> machines;
    for (std::uint32_t const cpus : {1U, 2U, 3U, 8U}) {
        machines.push_back(ideal_machine(cpus));
        machines.push_back(linux_machine(cpus));
    }
    return machines;
}

TEST(CutRecordings, OfRandomProgramsReplayToTheEndUnderTheOrderedModel) {
    auto const machines = machines_to_try();
    int direct_deadlocks = 0;
    int strict_deadlocks = 0;
    for (unsigned seed = 1; seed <= 2000; ++seed) {
        Host host(seed, 20 + int(seed % 1500));
        ThreadProgram const program = extract::extracted(host.recording());
        for (Machine const& machine : machines) {
            auto const run = simulate::run(program, machine, {.pairing = simulate::Pairing::ordered});
            ASSERT_TRUE(run.has_value()) << run.error().message;
            ASSERT_FALSE(run->deadlock.has_value()) << "seed " << seed << ", " << machine.cpus << " CPUs";
        }
        direct_deadlocks += simulate::run(program, machines.back())->deadlock ? 1 : 0;
        strict_deadlocks +=
            simulate::run(program, machines.back(), {.pairing = simulate::Pairing::recorded})->deadlock ? 1
                                                                                                        : 0;
    }
    // Else the programs are too simple to tell the models apart.
    EXPECT_GT(direct_deadlocks, 20);
    EXPECT_GT(strict_deadlocks, 5);
}

// An event in a signal handler that interrupts the recorder is lost. A lock whose unlock was lost stayed
// locked, and who waited for it waited for ever.
TEST(CutRecordings, WithLostUnlocksReplayToTheEndUnderTheOrderedModel) {
    auto const machines = machines_to_try();
    for (unsigned seed = 1; seed <= 1000; ++seed) {
        Host host(seed, 20 + int(seed % 1500), Host::Unlocks::some_lost);
        ThreadProgram const program = extract::extracted(host.recording());
        for (Machine const& machine : machines) {
            auto const run = simulate::run(program, machine, {.pairing = simulate::Pairing::ordered});
            ASSERT_TRUE(run.has_value()) << run.error().message;
            ASSERT_FALSE(run->deadlock.has_value()) << "seed " << seed << ", " << machine.cpus << " CPUs";
        }
    }
}

}  // namespace
}  // namespace parcast
