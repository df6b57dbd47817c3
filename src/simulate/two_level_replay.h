// Threads on LWPs on processors, after Solaris 2 as Broberg 2002, papers I to III, simulates it. An LWP is
// what the kernel schedules: a pool of them serves threads that are not bound; a bound thread has its own.
//
//     thread:   waits -> runnable, for an LWP -> on an LWP -> waits           at user level
//     LWP:      parked -> queued, for a processor -> on a processor -> parked   in the kernel
//
// User level. A free LWP of the pool takes the runnable thread of least nice value, first come, first served;
// no time takes the LWP away again. A thread loses it when it waits, yields, ends, or releases one of a lower
// nice value. Bound are threads with a real-time level, those that may not use every processor, and those
// that the program or a plan gives an LWP.
//
// Kernel. Each processor has a queue by level (time_sharing.h); of one level, first come, first served. A
// preempted LWP is the next of its level, with the rest of its quantum; one that used it up is the last. An
// LWP moves to another processor if that is idle, or when it has not run for the rechoose interval. Once in
// the boost interval, counted from when an LWP had to wait, those that wait get a higher level.
//
// Costs are paid by the thread, on its processor, before its next work; `wake_up` is the time until an idle
// processor begins. A bound thread pays for its creation and for each synchronisation what it takes more than
// the unbound one of the recording. No rates.
//
// Chosen: a thread that sleeps, reads or writes loses its LWP like one that waits. At one instant delays end
// before threads act, and of these the one on the first processor acts first.
//
// Cost: O(log P) an operation that another event may come before; O(1) for the others. While LWPs wait for
// processors, giving one a processor costs O(P).
//
// Private to two_level*.cpp: two_level.cpp has what threads do and which LWP they are on, two_level_lwps.cpp
// which processor LWPs are on.

#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/tournament.h"
#include "simulate/event_key.h"
#include "simulate/processor_set.h"
#include "simulate/ready_queue.h"
#include "simulate/replay.h"
#include "simulate/run_under.h"
#include "simulate/time_sharing.h"

namespace parcast::simulate {

using LwpId = Id<struct LwpTag>;

class TwoLevelReplay {
public:
    TwoLevelReplay(TwoLevelScheduler const& scheduler, ThreadProgram const& program, Machine const& machine,
                   ReplayOptions const& options);

    Run run();

private:
    enum class Phase : std::uint8_t { idle, waking, switching, running };

    struct Processor {
        LwpId lwp = LwpId::none();         // none: idle, or its thread has just left it
        ThreadId last = ThreadId::none();  // that it ran
        Phase phase = Phase::idle;
        std::int64_t since = 0;  // up to when work, or what is paid, is accounted for; waking: the end
        std::int64_t taken = 0;  // when the LWP took it
        std::int64_t quantum_end = EventKey{}.time;  // at first: never
    };
    struct Task {
        AllowedProcessors allowed;
        Priority priority;
        LwpClass lwp = LwpClass::pool;
        LwpId own = LwpId::none();  // that of a bound thread
        std::int64_t left_ns = 0;   // work before its next operation
        std::int64_t owed_ns = 0;   // to be paid before that
        bool is_bound() const { return !own.is_none(); }
        bool is_real_time() const { return priority.scheduling_class == SchedulingClass::real_time; }
        int user_level() const { return is_real_time() ? 0 : -priority.level; }
    };
    struct Lwp {
        ThreadId thread = ThreadId::none();
        AllowedProcessors allowed;
        int real_time_level = 0;  // 0: time sharing, or interactive
        int nice = 0;
        int boost = 0;
        int ts_level = first_ts_level;
        std::int64_t quantum_left_ns = 0;   // 0: the next one is whole
        std::optional<std::uint32_t> last;  // the processor on which it ran, until ran_until
        std::int64_t ran_until = 0;
        std::int64_t queued_since = 0;
        std::int64_t waits_since = 0;  // or since its level was raised
        std::uint32_t queue = 0;
        bool is_queued = false;
        bool has_run = false;
    };
    enum class Own : std::uint8_t { goes_on, leaves };
    enum class Behind : std::uint8_t { nobody, all };  // of its level
    using Queue = ReadyQueue<LwpId>;
    struct Next {
        std::uint32_t queue;
        Queue::Position position;
    };

    static std::int64_t surcharge_ns(Duration unbound, std::int64_t percent) {
        return unbound.ns * (percent - 100) / 100;
    }
    // More than there are threads would never run.
    std::size_t pool_size_at_first() const {
        auto const lwps = scheduler_.lwps > 0
                              ? scheduler_.lwps
                              : scheduler_.lwps_per_cpu * static_cast<std::int64_t>(processors_.size());
        return std::clamp<std::size_t>(static_cast<std::size_t>(lwps), 1, threads_.size());
    }

    Task& state(ThreadId thread) { return threads_[thread.index()]; }
    Lwp& state(LwpId lwp) { return lwps_[lwp.index()]; }
    Task const& state(ThreadId thread) const { return threads_[thread.index()]; }
    Lwp const& state(LwpId lwp) const { return lwps_[lwp.index()]; }
    ThreadId thread_on(std::uint32_t number) const { return state(processors_[number].lwp).thread; }

    int level_of(LwpId lwp) const {
        auto const& state_of = state(lwp);
        if (state_of.real_time_level > 0)
            return last_ts_level + state_of.real_time_level;
        // Of Solaris's user priority: 60 levels for 20 nice values.
        return std::clamp(state_of.ts_level + state_of.boost - 3 * state_of.nice, 0, last_ts_level);
    }
    std::int64_t quantum_of(LwpId lwp) const {
        auto const& of_lwp = state(lwp);
        return of_lwp.real_time_level > 0 ? rt_quantum_ns(of_lwp.real_time_level)
                                          : ts_quantum_ns(of_lwp.ts_level);
    }

    std::optional<ReadyQueue<ThreadId>::Position> first_user_thread() const {
        return user_.first([](ThreadId) { return true; });
    }

    // Of what it runs; one whose thread has just left it will choose by itself.
    int level_on(std::uint32_t number) const {
        auto const lwp = processors_[number].lwp;
        return lwp.is_none() ? max_level : level_of(lwp);
    }

    // The processor's next event: what its thread owes is paid, its work is done, or the quantum is over.
    void await(std::uint32_t number) {
        auto const& processor = processors_[number];
        auto const& task = state(thread_on(number));
        auto const time =
            processor.phase == Phase::switching
                ? processor.since + task.owed_ns
                : std::min(processor.since + task.left_ns, std::max(processor.since, processor.quantum_end));
        events_.set(number, {time, number});
    }

    static bool synchronises(OperationKind kind) {
        auto const role = traits_of(kind).role;
        return kind != OperationKind::end && role != Role::none && role != Role::schedules &&
               role != Role::delays;
    }

    // two_level.cpp: what threads do, and which LWP they are on
    void bind(ThreadId thread);
    void becomes_ready(ThreadId thread, std::optional<std::uint32_t> releaser, std::int64_t now);
    void find_lwp(ThreadId thread, std::optional<std::uint32_t> releaser, std::int64_t now);
    bool takes_next(LwpId lwp, std::int64_t now);
    void on_timer(EventKey timer);
    void on_processor(std::uint32_t number, std::int64_t now);
    void advance(std::uint32_t number, std::int64_t now);
    bool keeps_processor(std::uint32_t number, Operation const& operation, Progress progress,
                         std::int64_t now);
    void grow_pool(std::int64_t wanted, std::uint32_t number, std::int64_t now);
    void pay_for(Task& task, Operation const& operation);
    void leaves(std::uint32_t number, std::int64_t now);
    bool lets_threads_run(std::uint32_t number, bool yields, std::int64_t now);
    bool reschedule(std::uint32_t number, Operation const& operation, std::int64_t now);

    // two_level_lwps.cpp: which processor LWPs are on
    void wakes(LwpId lwp, std::optional<std::uint32_t> releaser, std::int64_t now);
    void place(LwpId lwp, bool is_woken, std::int64_t now);
    std::optional<std::uint32_t> idle_processor_for(Lwp const& lwp) const;
    std::uint32_t queue_for(Lwp const& lwp, std::int64_t now) const;
    void enqueue(std::uint32_t number, LwpId lwp, Behind behind, std::int64_t now);
    LwpId take(Next const& next);
    std::optional<Next> next_for(std::uint32_t number, Own own, std::int64_t now) const;
    void dispatch(std::uint32_t number, LwpId lwp, std::int64_t latency_ns, std::int64_t now);
    void begin(std::uint32_t number, std::int64_t now);
    void go_on(std::uint32_t number, std::int64_t now);
    void interrupt(std::uint32_t number, std::int64_t now);
    LwpId detach(std::uint32_t number, std::int64_t now);
    void replace(std::uint32_t number, LwpId by, Behind behind, std::int64_t now);
    void step_aside(std::uint32_t number, LwpId lwp, Behind behind, std::int64_t now);
    void choose(std::uint32_t number, std::int64_t now);
    void resume(std::uint32_t number, LwpId lwp, std::int64_t now);
    void arm_boost(std::int64_t now);
    void boost(std::int64_t now);
    void quantum_is_over(std::uint32_t number, std::int64_t now);
    bool lets_lwps_run(std::uint32_t number, std::int64_t now);

    static constexpr std::int64_t never = EventKey{}.time;
    static constexpr int max_level = 1'000;

    Replay replay_;
    TwoLevelScheduler scheduler_;
    Costs costs_;
    std::int64_t bound_creation_ns_;  // more than for an unbound thread
    std::int64_t bound_synchronisation_ns_;
    std::size_t most_in_pool_;  // LWPs: the first ones
    std::size_t pool_ = 0;      // of them, that there are so far
    std::vector<Processor> processors_;
    std::vector<Task> threads_;
    std::vector<Lwp> lwps_;      // one for each thread: of the pool; then again, as it is bound
    std::vector<LwpId> parked_;  // of the pool; the last to park is the first to go
    ReadyQueue<ThreadId> user_;  // runnable threads without an LWP
    std::vector<Queue> queues_;  // by processor
    std::size_t queued_ = 0;     // in all of them
    std::int64_t first_order_ = 0;
    std::int64_t last_order_ = 0;
    bool is_boost_armed_ = false;
    bool has_begun_ = false;
    Tournament<EventKey> events_;  // by processor
    ProcessorSet idle_;
};

}  // namespace parcast::simulate
