// When does the next running task finish? Two clocks with one surface. In the basic model a task that starts
// has its finish at once (SteadyClock). With contention or shared processors the rates of running tasks
// change with every state (RateClock).

#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/tournament.h"
#include "model/deterministic/contention.h"

namespace parcast::model {

// A running task in the order of finishing; of simultaneous ones the lowest comes first.
struct Finish {
    double time = std::numeric_limits<double>::infinity();
    std::uint64_t order = 0;

    Finish() = default;  // never
    Finish(double at, std::uint32_t task, std::uint32_t process)
        : time(at), order(std::uint64_t{task} << 32 | process) {}

    std::uint32_t task() const { return static_cast<std::uint32_t>(order >> 32); }
    std::uint32_t process() const { return static_cast<std::uint32_t>(order); }

    friend bool operator<(Finish one, Finish other) {
        return one.time < other.time || (one.time == other.time && one.order < other.order);
    }
};
static_assert(sizeof(Finish) == 16);

// What a process begins now.
struct Begin {
    std::uint32_t task = 0;
    std::uint32_t process = 0;
    std::uint32_t klass = 0;  // of contention
    double fetch = 0;         // before it runs
    double cpu = 0;
};

// Time by number of busy processors.
class BusyTime {
public:
    void add(std::size_t busy, double time) {
        if (busy >= for_.size())
            for_.resize(busy + 1);
        for_[busy] += time;
    }
    std::vector<double> take() && { return std::move(for_); }

private:
    std::vector<double> for_;
};

// A tournament of processes, each with at most one task. Cost: O(log processes) a task; a process that begins
// as soon as it is free costs one match a round and not two.
class SteadyClock {
public:
    void begin(Begin const& what) {
        auto const slot = what.process;
        while (slot >= tournament_.slots())
            tournament_.grow();
        if (ended_ && *ended_ != slot)
            forget_ended();
        ended_.reset();
        tournament_.set(slot, {now_ + what.fetch + what.cpu, what.task, slot});
        ++busy_;
    }

    bool is_running() const { return busy_ > 0; }
    double now() const { return now_; }
    std::size_t busy() const { return busy_; }

    // REQUIRES: is_running(). Goes to the time of the first finish.
    Finish next() {
        forget_ended();
        auto const first = tournament_.first();
        busy_time_.add(busy_, first.time - now_);
        now_ = first.time;
        ended_ = first.process();
        --busy_;
        return first;
    }

    bool has_another_now() {
        forget_ended();
        return is_running() && tournament_.first().time == now_;
    }

    std::optional<Error> const& failure() const { return failure_; }
    double latency() const { return 0; }
    double contention() const { return 0; }
    bool is_approximate() const { return false; }
    BusyTime take_busy_time() && { return std::move(busy_time_); }

private:
    void forget_ended() {
        if (ended_)
            tournament_.clear(*ended_);
        ended_.reset();
    }

    Tournament<Finish> tournament_ = Tournament<Finish>(8);  // by process
    std::optional<std::uint32_t> ended_;                     // whose finish was taken but not yet removed
    double now_ = 0;
    std::size_t busy_ = 0;
    BusyTime busy_time_;
    std::optional<Error> failure_;
};

// Tasks of a class get CPU time at one rate: so each of them finishes when its class has *served* what it had
// served at the task's start, plus the task's time, and their order never changes. A state costs a step a
// running class, and not one a task. Processes that fetch are a class of their own, without delay.
class RateClock {
public:
    // law: lent; null: no contention.
    RateClock(ContentionLaw const* law, std::uint32_t processors) : law_(law), processors_(processors) {}

    void begin(Begin const& what);
    bool is_running() const { return busy() > 0; }
    double now() const { return now_; }
    std::size_t busy() const { return running_ + fetching_.size(); }
    Finish next();
    bool has_another_now();

    std::optional<Error> const& failure() const { return failure_; }
    double latency() const { return latency_; }
    double contention() const { return contention_; }
    bool is_approximate() const { return is_approximate_; }
    BusyTime take_busy_time() && { return std::move(busy_time_); }

private:
    struct Running {  // tasks of a class
        std::uint32_t klass = 0;
        double served = 0;          // CPU time to each of its tasks since the class began to run
        double delay = 0;           // per CPU time
        double alone = 0;           // of that, what a task would have alone
        double rate = 1;            // CPU time per time
        std::vector<Finish> tasks;  // a heap by `served` at their finish, the first on top
    };
    struct Next {
        double elapse = 0;
        std::size_t place = 0;  // in classes_
    };
    using State = std::vector<RunningClass>;
    static constexpr std::uint32_t fetching_class = std::numeric_limits<std::uint32_t>::max();

    void join(std::uint32_t klass, double cpu, Begin const& what);
    Next first_finish() const;
    Finish take(Next next);
    void advance(double elapse);
    void solve();
    State present() const;
    std::vector<double> delays_in(State const& state);
    // More tasks run than there are processors (processor sharing): those that are on a processor at the same
    // time delay each other. Each class is delayed as in samples of as many tasks as processors, one of its
    // own among them. Exact for one processor and for one class. Cost: a solution a sample; of many classes,
    // tasks / processors samples.
    std::vector<double> delays_of_samples(State const& state);
    std::vector<std::size_t> sample(State const& state, std::size_t from) const;
    double delay_alone(std::uint32_t klass);

    ContentionLaw const* law_;
    std::uint32_t processors_;
    std::vector<Running> classes_;             // by class
    std::map<std::uint32_t, Begin> fetching_;  // by process: what it will run
    std::size_t running_ = 0;                  // tasks, without those
    bool is_solved_ = false;
    bool is_approximate_ = false;  // the delays of a state that was met
    double now_ = 0;
    double latency_ = 0;
    double contention_ = 0;
    BusyTime busy_time_;
    std::map<std::vector<std::uint32_t>, std::vector<double>> solved_;  // class, number, class, ...
    std::map<std::uint32_t, double> alone_;
    State last_state_;
    std::vector<double> last_delays_;
    std::optional<Error> failure_;
};

}  // namespace parcast::model
