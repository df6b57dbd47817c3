// A queue a processor, after Linux: a fair class by virtual run time with slices, and SCHED_FIFO and
// SCHED_RR above it; placement on wake-up, preemption on wake-up, pulling by idle processors, periodic
// balancing, affinity. docs/schedulers.md says what each rule is and what a real Linux does otherwise.
//
// Cost: O(log processors + log waiting threads) an operation; an operation that comes before every other
// event costs O(1). An idle processor's search for work costs O(processors), if any thread waits at all.
//
// Private to linux*.cpp: linux.cpp runs threads on their
// processors, linux_fair.cpp chooses the next one of a queue, linux_placement.cpp decides on
// which processor a thread waits, linux_balancing.cpp moves those that wait.
//
// A processor is in one of five phases:
//     idle ----> waking ----> switching ----> running ----> idle, or switching to the next thread
//       |  (latency of a wake-up)  (cost)      ^  |  ^
//       +------------ no costs ----------------+  |  +--> spinning: its thread waits and keeps it
//                                                 +-----> switching: the cost of creating or waking threads
// `switching` is the kernel's time: it is not preempted; a preemption that falls into it follows it.
//
// Where busy processors slow each other down (the machine's rates), work is timed on a clock of its own, so
// that a processor that becomes busy moves no other's event: `completions_` holds the ends of work in the
// time of that clock, `events_` what happens in real time. Where they do not, both times are one, and so are
// the queues. What happens at every operation is compiled for each case: asking there costs 4 to 8 %.

#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/tournament.h"
#include "simulate/event_key.h"
#include "simulate/fair_share.h"
#include "simulate/idle_search.h"
#include "simulate/load_average.h"
#include "simulate/lock_lines.h"
#include "simulate/processor_set.h"
#include "simulate/pull_odds.h"
#include "simulate/replay.h"
#include "simulate/run_queue.h"
#include "simulate/run_under.h"
#include "simulate/virtual_clock.h"

namespace parcast::simulate {

class LinuxReplay {
public:
    LinuxReplay(ThreadProgram const& program, Machine const& machine, ReplayOptions const& options);

    Run run();

private:
    static constexpr std::int64_t ticks_a_half_life = 8;  // 32 ms at 250 Hz, as Linux has it
    static constexpr std::int64_t slices_a_period = 8;    // sched_nr_latency

    enum class Phase : std::uint8_t { idle, waking, switching, running, spinning };

    // When a processor looks at the others, in ticks, and what came of it.
    struct Balancing {
        std::uint64_t looked = 0;
        std::uint64_t gap = 1;
        std::uint32_t failures = 0;  // in a row: threads waited, and none could be moved
    };

    struct Processor {
        explicit Processor(std::int64_t pull_percent) : pull_odds(pull_percent) {}

        RunQueue fair;
        RunQueue real_time;
        std::int64_t fair_weight = 0;  // of those in `fair`, and their virtual run times by weight; only if
        __int128 fair_moment = 0;      // eevdf_
        std::int64_t phase_ends = 0;   // running: the thread's work is done, if rates_vary_ is not set
        std::int64_t slice_ends = 0;
        std::int64_t picked = 0;         // when it began to run its thread
        std::int64_t charged_until = 0;  // virtual run time of the running thread is charged up to here
        std::int64_t owed_overhead_ns =
            0;                     // before it does anything else: wake-ups that it sent; < 0: it saved
        std::int64_t minimum = 0;  // virtual run time that the fair threads here have at least had
        ThreadId current = ThreadId::none();
        ThreadId last = ThreadId::none();  // whose state is loaded
        Phase phase = Phase::idle;
        std::int64_t idle_since_ns = 0;  // if it is idle
        PullOdds pull_odds;
        LoadAverage average;  // of load(); only if loads_matter_
        Balancing balancing;
        bool must_reschedule = false;
        bool executing = false;  // inside an operation of its thread

        std::size_t waiting() const { return fair.size() + real_time.size(); }
        bool has_thread_on_it() const { return phase == Phase::running || phase == Phase::spinning; }
        std::size_t load() const { return waiting() + (current.is_none() ? 0 : 1); }
    };

    struct Task {                       // a thread, as the scheduler sees it
        std::int64_t remaining_ns = 0;  // work before its next operation
        std::int64_t virtual_ns = 0;    // on the clock of `processor`
        std::int64_t deadline_ns = 0;   // likewise; of what it asked for, only if eevdf_
        std::int64_t lag_ns = 0;        // what it was owed when it left its queue, in virtual time; likewise
        bool asks_again = false;        // it has had what it asked for since it began to run; likewise
        std::int64_t turn_left_ns = 0;  // of SCHED_RR
        AllowedProcessors affinity;
        std::optional<std::uint32_t> processor;  // where it ran or was queued last
        std::optional<std::uint32_t> before;     // where it was before that
        std::optional<std::uint32_t> ran_on;
        std::optional<std::int64_t> ran_until;
        LoadAverage average;  // likewise, of being runnable
        std::int64_t weight = nice_zero_weight;
        Priority priority;
        bool paid_creation = false;   // the cost of the thread that it creates next
        bool has_line = false;        // of the lock that it takes or leaves next: it has waited for it
        bool at_hot_lock = false;     // its last operation had to wait for a line
        bool spins = false;           // it waits, and has not given up yet: on its processor or in a queue
        bool queued_to_wake = false;  // it was released, and no processor was idle
        bool lost_turn = false;       // at the end of a slice: others use the caches meanwhile
        std::int64_t spin_left_ns = 0;
        std::optional<std::uint32_t> spun_for;  // whose budget spin_left_ns is: the number of the operation

        bool is_real_time() const { return priority.scheduling_class == SchedulingClass::real_time; }
        bool takes_turns() const { return is_real_time() && priority.takes_turns; }
    };

    // linux.cpp: threads on their processors
    void on_timer(EventKey timer);
    template <bool rates_vary>
    void run_events();
    template <bool rates_vary>
    void on_processor(std::uint32_t number, std::int64_t now);
    template <bool rates_vary>
    void execute(std::uint32_t number, std::int64_t now);
    template <bool rates_vary>
    bool comes_first(std::uint32_t number, Lead<EventKey>& lead) const;
    template <bool rates_vary>
    Lead<EventKey> lead_over_others(std::uint32_t number) const;
    bool begins_creation(std::uint32_t number, std::int64_t now);
    bool waits_for_line(std::uint32_t number, std::int64_t now);
    void spend_before_operation(std::uint32_t number, std::int64_t cost_ns, std::int64_t now);
    template <bool rates_vary>
    bool keeps_processor(std::uint32_t number, Progress progress, Operation const& operation,
                         std::int64_t now);
    std::int64_t saved_on_wake_ups(std::uint32_t number);
    void pay_for_wake_ups(std::uint32_t number, std::int64_t now);
    bool yields(std::uint32_t number, std::int64_t now);
    bool reschedules(std::uint32_t number, Operation const& operation, std::int64_t now);
    void slice_is_over(std::uint32_t number, std::int64_t now);
    void lose_turn(std::uint32_t number);
    void dispatch(std::uint32_t number, std::int64_t now);
    void refill_caches(ThreadId thread);
    void run_current(std::uint32_t number, std::int64_t now);
    void preempt(std::uint32_t number, std::int64_t now);
    void charge(Processor& processor, std::int64_t now);
    template <bool rates_vary>
    void plan_work(std::uint32_t number, std::int64_t work_ns, std::int64_t now);
    template <bool rates_vary>
    void plan_further_work(std::uint32_t number, std::int64_t work_ns, std::int64_t now);
    std::int64_t work_left_ns(std::uint32_t number, std::int64_t now) const;
    template <bool rates_vary>
    std::int64_t work_ends(std::uint32_t number) const;
    bool has_slice(Processor const& processor) const {
        auto const& current = task(processor.current);
        if (!current.is_real_time())
            return !processor.fair.empty();
        return current.takes_turns() && !processor.real_time.empty() &&
               processor.real_time.first_rank() <= real_time_rank(current);
    }
    std::int64_t slice_end(Processor const& processor) const {
        auto const& current = task(processor.current);
        if (current.takes_turns())
            return processor.charged_until + current.turn_left_ns;
        return has_periods_ ? next_tick(processor.charged_until) : processor.slice_ends;
    }
    void arm(std::uint32_t number, std::int64_t now);
    void set_phase(std::uint32_t number, Phase phase, std::int64_t now);

    // linux_spinning.cpp: threads that wait on their processors
    bool begins_spinning(std::uint32_t number, Operation const& operation, std::int64_t now);
    Duration spin_budget(ThreadId thread, Operation const& operation) const;
    // Half of what changing threads takes. A lock that is free again before that lets the thread go on: the
    // kernel looks at it once more. Who waits for a lock that nobody used just now is asleep at once.
    std::int64_t time_to_sleep_ns() const { return costs_.context_switch.ns / 2; }
    void spin_current(std::uint32_t number, std::int64_t now);
    void falls_asleep(std::uint32_t number, std::int64_t now);
    void stop_spinning(ThreadId thread, std::int64_t now);

    // linux_fair.cpp: who is next in the fair class
    std::int64_t request(Task const& task) const {
        return virtual_run_time(scheduler_.slice.ns, task.weight);
    }
    std::int64_t fair_clock(Processor const& processor) const;
    std::int64_t fair_rank(Task const& task) const { return eevdf_ ? task.deadline_ns : task.virtual_ns; }
    std::int64_t slice_left(Task const& task) const;
    std::int64_t next_tick(std::int64_t now) const {
        auto const tick = scheduler_.balance_interval.ns;
        return ((now + tick_phase_ns_) / tick + 1) * tick - tick_phase_ns_;
    }
    std::int64_t part_of_period(std::size_t threads) const;
    std::optional<ThreadId> next_fair(Processor const& processor) const;
    bool is_eligible(Task const& task, Processor const& processor) const;
    bool is_fairly_more_urgent(Task const& woken, Processor const& processor) const;
    bool is_overtaken(Processor const& processor) const;
    void asks_again_if_served(Processor& processor, std::int64_t now);
    void place_virtual_time(Task& task, std::uint32_t number, std::optional<std::uint32_t> creator) const;
    std::int64_t with_lag(Task const& task, Processor const& processor) const;
    void carry_virtual_time(Task& task, std::uint32_t from, std::uint32_t to);
    void leaves_fair_clock(Task& task, Processor const& processor) const;
    void changes_weight(Task& running, Processor const& processor) const;
    void push_fair(Processor& processor, ThreadId thread);
    void forget_fair(Processor& processor, Task const& task) const;

    // linux_placement.cpp: which thread waits where
    void make_ready(ThreadId thread, std::optional<std::uint32_t> releaser, std::int64_t now);
    Duration latency(std::uint32_t releaser, std::int64_t idle_ns);
    void settle(std::uint32_t number, ThreadId thread, Duration latency, std::int64_t now);
    bool is_more_urgent(Task const& woken, Processor const& processor) const;
    std::uint32_t choose_processor(Task& task, std::optional<std::uint32_t> releaser, std::int64_t now);
    std::uint32_t choose_queue(Task const& task, std::uint32_t previous,
                               std::optional<std::uint32_t> releaser, std::int64_t now);
    std::optional<std::uint32_t> idle_near(Task& task, std::uint32_t previous, std::uint32_t target,
                                           std::int64_t now);
    std::uint32_t choose_for_real_time(Task const& task) const;
    std::uint32_t least_loaded(Task const& task) const;
    void average_load(Processor& processor, std::int64_t now);
    void average_load(Task& task, std::int64_t runnable, std::int64_t running, std::int64_t now);
    Loads expected_loads(std::uint32_t number) const;
    std::uint32_t choose_for_new(Task const& task, std::uint32_t creator, std::int64_t now);
    void carry_load(Task const& task, std::optional<std::uint32_t> from, std::uint32_t to, std::int64_t now);
    void goes_to_sleep(ThreadId thread, std::uint32_t number, std::int64_t now);
    void bring_clock_up_to(std::uint32_t number, std::int64_t now);
    void enqueue(std::uint32_t number, ThreadId thread);
    std::optional<ThreadId> pick(std::uint32_t number);

    // linux_balancing.cpp: threads that wait move on
    void move(ThreadId thread, std::uint32_t from, std::uint32_t to, std::int64_t now);
    void pull_real_time(std::uint32_t number, std::int64_t now);
    void pull_fair(std::uint32_t number, std::int64_t now);
    void arm_balancing(std::int64_t now);
    void balance(std::int64_t now);
    void space_out_balancing();
    void begins_at_another_moment(std::uint64_t seed);
    std::uint64_t least_gap() const;
    bool is_due(Processor const& processor) const;
    void balance_towards(std::uint32_t number, std::int64_t now);
    std::int64_t excess_of(std::uint32_t busiest, std::uint32_t number) const;
    std::optional<std::uint32_t> longest_queue_but(std::uint32_t number) const;
    std::optional<ThreadId> movable(std::uint32_t from, std::uint32_t to, std::int64_t now) const;
    bool is_hot(Task const& task, std::int64_t now) const;

    Task& task(ThreadId thread) { return tasks_[thread.index()]; }
    Task const& task(ThreadId thread) const { return tasks_[thread.index()]; }
    std::uint32_t processor_count() const { return static_cast<std::uint32_t>(processors_.size()); }
    // Levels fall as ranks rise: the queue's first thread is the most urgent.
    static std::int64_t real_time_rank(Task const& task) { return -task.priority.level; }
    // Whether a thread may be taken away: not the only one, which the processor is about to run.
    static bool has_spare(Processor const& processor) {
        return processor.waiting() > (processor.current.is_none() ? 1U : 0U);
    }

    Replay replay_;
    LinuxScheduler scheduler_;
    Costs costs_;
    Waiting waiting_policy_;
    std::int64_t refill_ns_;
    bool eevdf_;
    bool has_periods_;  // CFS, and slices are parts of a period
    std::vector<Processor> processors_;
    std::vector<Task> tasks_;
    Tournament<EventKey> events_;  // by processor, in real time
    VirtualClock work_clock_;
    bool rates_vary_;
    bool loads_matter_;  // threads may have to queue
    std::int64_t half_life_ns_;
    Tournament<EventKey> completions_;    // by processor, on the work clock; only if rates_vary_
    std::vector<VirtualTime> work_ends_;  // by processor, likewise
    ProcessorSet idle_;
    std::int64_t recorded_waking_ns_ =
        0;                               // what waking those before took, of those that an operation releases
    std::size_t waiting_ = 0;            // threads in all queues
    std::size_t waiting_real_time_ = 0;  // of these, in real-time queues
    LockLines lock_lines_;
    IdleSearch idle_search_;
    Dice dice_;
    std::int64_t tick_phase_ns_ = 0;  // since the last tick when the run begins
    std::uint64_t ticks_ = 0;
    bool balancing_ = false;  // its timer is pending
};

}  // namespace parcast::simulate
