// The state of a run under the linux scheduler. Private to linux*.cpp: linux.cpp runs threads on their
// processors, linux_placement.cpp decides on which processor a thread waits.
//
// A processor is in one of four phases:
//     idle ----> waking ----> switching ----> running ----> idle, or switching to the next thread
//       |  (latency of a wake-up)  (cost)        ^  |
//       +------------ no costs ------------------+  +-> switching: the cost of creating a thread
// `switching` is the kernel's time: it is not preempted; a preemption that falls into it follows it.

#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "simulate/event_tree.h"
#include "simulate/fair_share.h"
#include "simulate/linux.h"
#include "simulate/processor_set.h"
#include "simulate/replay.h"
#include "simulate/run_queue.h"

namespace parcast::simulate {

class LinuxReplay {
public:
    LinuxReplay(ThreadProgram const& program, Machine const& machine, Options const& options);

    Run run();

private:
    enum class Phase : std::uint8_t { idle, waking, switching, running };

    struct Processor {
        RunQueue fair;
        RunQueue real_time;
        std::int64_t phase_ends = 0;  // waking, switching; running: the thread's work is done
        std::int64_t slice_ends = 0;
        std::int64_t charged_until = 0;  // virtual run time of the running thread is charged up to here
        std::int64_t minimum = 0;        // virtual run time that the fair threads here have at least had
        ThreadId current = ThreadId::none();
        ThreadId last = ThreadId::none();  // whose state is loaded
        Phase phase = Phase::idle;
        bool must_reschedule = false;
        bool executing = false;  // inside an operation of its thread

        std::size_t waiting() const { return fair.size() + real_time.size(); }
        std::size_t load() const { return waiting() + (current.is_none() ? 0 : 1); }
    };

    struct Task {                                // a thread, as the scheduler sees it
        std::int64_t remaining_ns = 0;           // work before its next operation
        std::int64_t virtual_ns = 0;             // on the clock of `processor`
        std::uint64_t affinity = 0;              // usable_affinity
        std::optional<std::uint32_t> processor;  // where it ran or was queued last
        std::optional<std::uint32_t> ran_on;
        std::int64_t weight = nice_zero_weight;
        Priority priority;
        bool paid_creation = false;  // the cost of the thread that it creates next

        bool is_real_time() const { return priority.scheduling_class == SchedulingClass::real_time; }
    };

    // linux.cpp: threads on their processors
    void on_timer(EventKey timer);
    void on_processor(std::uint32_t number, std::int64_t now);
    void execute(std::uint32_t number, std::int64_t now);
    bool begins_creation(std::uint32_t number, std::int64_t now);
    bool keeps_processor(std::uint32_t number, Progress progress, Operation const& operation,
                         std::int64_t now);
    bool yields(std::uint32_t number, std::int64_t now);
    bool reschedules(std::uint32_t number, Operation const& operation, std::int64_t now);
    void slice_is_over(std::uint32_t number, std::int64_t now);
    void dispatch(std::uint32_t number, std::int64_t now);
    void run_current(std::uint32_t number, std::int64_t now);
    void preempt(std::uint32_t number, std::int64_t now);
    void charge(Processor& processor, std::int64_t now);
    bool has_slice(Processor const& processor) const;
    void arm(std::uint32_t number, std::int64_t now);
    void set_phase(std::uint32_t number, Phase phase);

    // linux_placement.cpp: which thread waits where
    void make_ready(ThreadId thread, std::optional<std::uint32_t> releaser, std::int64_t now);
    void settle(std::uint32_t number, ThreadId thread, Duration latency, std::int64_t now);
    bool is_more_urgent(Task const& woken, Processor const& processor) const;
    std::uint32_t choose_processor(Task const& task) const;
    std::uint32_t choose_for_real_time(Task const& task) const;
    std::uint32_t least_loaded(Task const& task) const;
    void place_virtual_time(Task& task, std::uint32_t number) const;
    void bring_clock_up_to(std::uint32_t number, std::int64_t now);
    void enqueue(std::uint32_t number, ThreadId thread);
    std::optional<ThreadId> pick(std::uint32_t number);
    void move(ThreadId thread, std::uint32_t from, std::uint32_t to, std::int64_t now);
    void pull_real_time(std::uint32_t number, std::int64_t now);
    void pull_fair(std::uint32_t number, std::int64_t now);
    void arm_balancing(std::int64_t now);
    void balance(std::int64_t now);
    std::optional<std::uint32_t> longest_queue() const;
    std::uint32_t shortest_queue() const;
    bool balance_once(std::size_t least_difference, std::int64_t now);

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
    std::vector<Processor> processors_;
    std::vector<Task> tasks_;
    EventTree events_;  // by processor
    ProcessorSet idle_;
    std::size_t waiting_ = 0;            // threads in all queues
    std::size_t waiting_real_time_ = 0;  // of these, in real-time queues
    std::uint32_t rotation_ = 0;         // where balancing looks first for a shorter queue
    bool balancing_ = false;             // its timer is pending
};

}  // namespace parcast::simulate
