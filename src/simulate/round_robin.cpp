// Ready threads run by turn: the highest real-time level first, first come, first served within a level;
// those without a level have the lowest. A thread runs until its slice is over and others of its level wait
// for the processor, until it waits itself, or until one of a higher level is ready, which takes the
// processor at once; the preempted thread is then the next of its level, with the rest of its slice. No costs
// and no rates.
//
// One queue serves all processors, and one more each processor for the threads that only it may run. With
// queue_per_cpu, all threads stay on a processor: the one that they may use, or their number modulo the
// processors. At one instant delays end before threads act, and of these the highest level acts first.
//
// Cost: O(log P) an operation that another event may come before; O(1) for the others. A thread with a level
// that finds no idle processor looks at all; one that may use some processors, but not all, is looked past by
// the others.

#include <algorithm>
#include <bit>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "core/tournament.h"
#include "simulate/event_key.h"
#include "simulate/processor_set.h"
#include "simulate/ready_queue.h"
#include "simulate/replay.h"
#include "simulate/run_under.h"

namespace parcast::simulate {

namespace {

constexpr std::int64_t never = EventKey{}.time;

class RoundRobinReplay {
public:
    RoundRobinReplay(RoundRobinScheduler const& scheduler, ThreadProgram const& program,
                     Machine const& machine, ReplayOptions const& options)
        : replay_(program, machine, Ledger::Sharing::exclusive, options),
          slice_ns_(scheduler.slice.ns == 0 ? never : scheduler.slice.ns),
          queue_per_cpu_(scheduler.queue_per_cpu != 0),
          processors_(machine.cpus),
          threads_(program.lists.size()),
          own_(machine.cpus),
          events_(machine.cpus),
          idle_(machine.cpus),
          unsliced_(machine.cpus) {
        for (std::uint32_t number = 0; number < machine.cpus; ++number)
            idle_.insert(number);
        for (std::size_t thread = 0; thread < threads_.size(); ++thread) {
            threads_[thread].level = level_of(replay_.priority_at_first(ThreadId(thread)));
            allow(ThreadId(thread), replay_.allowed_at_first(ThreadId(thread), machine.cpus));
        }
    }

    Run run() {
        auto initial = replay_.begin();
        std::ranges::stable_sort(initial, std::greater<>(),
                                 [this](ThreadId thread) { return state(thread).level; });
        for (ThreadId const thread : initial)
            becomes_ready(thread, 0);
        while (!replay_.is_over()) {
            auto const event = events_.first();
            auto const timer = replay_.timers().first();
            if (event.is_never() && timer.is_never())
                break;
            if (timer.time <= event.time) {
                replay_.timers().pop();
                ThreadId const thread(timer.slot());
                replay_.resume_after_delay(thread, timer.time);
                becomes_ready(thread, timer.time);
            } else {
                advance(event.slot(), event.time);
            }
        }
        return replay_.finish();
    }

private:
    struct Processor {
        ThreadId thread = ThreadId::none();  // none: idle
        std::int64_t since = 0;              // up to when the thread's work is accounted for
        std::int64_t slice_end = 0;          // never: nobody waited when a slice was over
        std::int64_t slice_begin = 0;
    };
    struct Task {
        AllowedProcessors allowed;
        std::optional<std::uint32_t> home;  // the only processor that runs it; none: several may
        int level = 0;                      // real-time level; 0: none
        std::int64_t left_ns = 0;           // work before its next operation
        std::int64_t slice_left_ns = 0;     // of a preempted thread; 0: the next one is whole
    };

    static int level_of(Priority priority) {
        return priority.scheduling_class == SchedulingClass::real_time ? priority.level : 0;
    }

    // From now on the thread may use these. With a queue per processor it stays on one of them.
    void allow(ThreadId thread, AllowedProcessors const& allowed) {
        auto& task = state(thread);
        task.allowed = allowed;
        task.home.reset();
        if (std::has_single_bit(allowed.mask) || queue_per_cpu_)
            task.home = allowed.are_all() ? thread.value % static_cast<std::uint32_t>(processors_.size())
                                          : nth_allowed(allowed, thread);
    }

    static std::uint32_t nth_allowed(AllowedProcessors const& allowed, ThreadId thread) {
        auto const count = static_cast<std::uint32_t>(std::popcount(allowed.mask));
        auto rest = allowed.mask;
        for (auto skipped = thread.value % count; skipped > 0; --skipped)
            rest &= rest - 1;
        return 64 * allowed.word + static_cast<std::uint32_t>(std::countr_zero(rest));
    }

    Task& state(ThreadId thread) { return threads_[thread.index()]; }
    Task const& state(ThreadId thread) const { return threads_[thread.index()]; }

    bool may_run(ThreadId thread, std::uint32_t number) const {
        auto const& task = state(thread);
        return task.home ? *task.home == number : task.allowed.contain(number);
    }

    // --- who runs where

    void becomes_ready(ThreadId thread, std::int64_t now) {
        state(thread).left_ns = replay_.work_ns(thread);
        place(thread, now);
    }

    // On an idle processor, in the place of a thread of a lower level, or in a queue.
    void place(ThreadId thread, std::int64_t now) {
        if (auto const idle = idle_processor_for(thread))
            return dispatch(*idle, thread, now);
        auto const number = processor_to_take(thread);
        if (!number)
            return enqueue_last(thread, now);
        preempt(*number, now);
        dispatch(*number, thread, now);
    }

    std::optional<std::uint32_t> idle_processor_for(ThreadId thread) const {
        if (auto const home = state(thread).home)
            return idle_.contains(*home) ? home : std::nullopt;
        return idle_.first_allowed(state(thread).allowed);
    }

    // Where the lowest level runs, if that is lower.
    std::optional<std::uint32_t> processor_to_take(ThreadId thread) const {
        std::optional<std::uint32_t> found;
        int lowest = state(thread).level;
        for (std::uint32_t number = 0; lowest > 0 && number < processors_.size(); ++number) {
            auto const running = processors_[number].thread;
            if (!running.is_none() && state(running).level < lowest && may_run(thread, number)) {
                lowest = state(running).level;
                found = number;
            }
        }
        return found;
    }

    ReadyQueue<ThreadId>& queue_of(ThreadId thread) {
        auto const home = state(thread).home;
        return home ? own_[*home] : shared_;
    }

    void enqueue_last(ThreadId thread, std::int64_t now) {
        queue_of(thread).push_back(state(thread).level, thread, last_order_++);
        ++waiting_;
        bound_slices(thread, now);
    }

    // Somebody waits now: slices end that went on because nobody did.
    void bound_slices(ThreadId thread, std::int64_t now) {
        if (unsliced_.is_empty())
            return;
        for (std::uint32_t number = 0; number < processors_.size(); ++number)
            if (unsliced_.contains(number) && may_run(thread, number))
                bound_slice(number, now);
    }

    // Slices followed each other meanwhile.
    void bound_slice(std::uint32_t number, std::int64_t now) {
        auto& processor = processors_[number];
        unsliced_.erase(number);
        auto const slices = (now - processor.slice_begin) / slice_ns_ + 1;
        processor.slice_end = processor.slice_begin + slices * slice_ns_;
        await(number);
    }

    // The next thread for the processor; none if nobody waits for it.
    std::optional<ReadyQueue<ThreadId>::Position> next_for(std::uint32_t number) const {
        if (waiting_ == 0)
            return std::nullopt;
        auto own = own_[number].first([](ThreadId) { return true; });
        auto const shared = shared_.first([&](ThreadId thread) { return may_run(thread, number); });
        return shared && (!own || shared->is_before(*own)) ? shared : own;
    }

    ThreadId take(std::uint32_t number, ReadyQueue<ThreadId>::Position const& position) {
        --waiting_;
        auto const own = own_[number].first([](ThreadId) { return true; });
        bool const is_own = own && own->order == position.order;
        return is_own ? own_[number].take(position) : shared_.take(position);
    }

    void dispatch(std::uint32_t number, ThreadId thread, std::int64_t now) {
        auto& processor = processors_[number];
        idle_.erase(number);
        processor.thread = thread;
        processor.since = now;
        auto const slice_ns = std::exchange(state(thread).slice_left_ns, 0);
        begin_slice(processor, now, slice_ns > 0 ? slice_ns : slice_ns_);
        replay_.ledger().counts_switch();
        replay_.ledger().runs(thread, now, CpuId(number));
        await(number);
    }

    static void begin_slice(Processor& processor, std::int64_t now, std::int64_t slice_ns) {
        processor.slice_begin = now;
        processor.slice_end = slice_ns == never ? never : now + slice_ns;
    }

    // The thread goes back to the head of its level.
    void preempt(std::uint32_t number, std::int64_t now) {
        auto const& processor = processors_[number];
        auto const thread = processor.thread;
        auto& preempted = state(thread);
        preempted.left_ns -= now - processor.since;
        auto const is_unsliced = processor.slice_end == never;
        preempted.slice_left_ns = is_unsliced ? 0 : processor.slice_end - now;
        replay_.ledger().is_ready(thread, now);
        vacate(number);
        queue_of(thread).push_front(preempted.level, thread, --first_order_);
        ++waiting_;
        bound_slices(thread, now);
    }

    void vacate(std::uint32_t number) {
        processors_[number].thread = ThreadId::none();
        events_.clear(number);
        idle_.insert(number);
        if (unsliced_.contains(number))
            unsliced_.erase(number);
    }

    // The processor's next event: its thread's work is done, or its slice is over. At one instant
    // the highest level comes first.
    EventKey key_of(std::uint32_t number, std::int64_t time) const {
        auto const level = static_cast<std::uint64_t>(99 - state(processors_[number].thread).level);
        return {time, level << 32 | number};
    }
    void await(std::uint32_t number) {
        auto const& processor = processors_[number];
        auto const done = processor.since + state(processor.thread).left_ns;
        events_.set(number, key_of(number, std::min(done, processor.slice_end)));
    }

    // --- what a thread does

    void advance(std::uint32_t number, std::int64_t now) {
        auto& processor = processors_[number];
        auto const thread = processor.thread;
        auto& left_ns = state(thread).left_ns;
        left_ns -= now - processor.since;
        processor.since = now;
        Lead<EventKey> lead(events_, number);
        while (left_ns == 0) {
            auto const operation = replay_.operation(thread);
            if (!goes_on(number, operation, replay_.execute(thread, now), now))
                return;
            if (!replay_.released().empty())
                lead = {events_, number};
            auto const end = now + left_ns;
            if (end > processor.slice_end || !lead.reaches(key_of(number, end)) ||
                end >= replay_.timers().first().time)
                break;
            now = end;
            left_ns = 0;
            processor.since = now;
        }
        if (left_ns > 0 && now >= processor.slice_end && slice_is_over(number, now))
            return;
        await(number);
    }

    // Whether the thread keeps its processor after the operation that it executed. Those that it released may
    // take it.
    bool goes_on(std::uint32_t number, Operation const& operation, Progress progress, std::int64_t now) {
        auto const thread = processors_[number].thread;
        switch (progress) {
            case Progress::blocks:
            case Progress::delays:
            case Progress::ends: give_up(number, now); return false;
            case Progress::yields:
            case Progress::proceeds:
            case Progress::goes_on:
            case Progress::reschedules: break;
        }
        state(thread).left_ns = replay_.work_ns(thread);
        for (auto const released : replay_.released())
            becomes_ready(released, now);
        if (processors_[number].thread != thread)
            return false;
        if (progress == Progress::yields)
            return !lets_others_run(number, now);
        return progress == Progress::proceeds || !is_rescheduled(number, operation, now);
    }

    // The thread waits or has ended. The first of those that wait for the processor gets it, or one that the
    // thread released.
    void give_up(std::uint32_t number, std::int64_t now) {
        vacate(number);
        auto const& released = replay_.released();
        auto const next = next_for(number);
        std::size_t taken = released.size();
        for (std::size_t i = 0; i < released.size(); ++i) {
            state(released[i]).left_ns = replay_.work_ns(released[i]);
            int const to_beat = taken < released.size() ? state(released[taken]).level
                                : next                  ? next->level
                                                        : -1;
            if (may_run(released[i], number) && state(released[i]).level > to_beat)
                taken = i;
        }
        if (taken < released.size())
            dispatch(number, released[taken], now);
        else if (next)
            dispatch(number, take(number, *next), now);
        for (std::size_t i = 0; i < released.size(); ++i)
            if (i != taken)
                place(released[i], now);
    }

    // To the end of its level, if another one of it or of a higher level waits. Whether there is one.
    bool lets_others_run(std::uint32_t number, std::int64_t now) {
        auto const thread = processors_[number].thread;
        auto const next = next_for(number);
        if (!next || next->level < state(thread).level)
            return false;
        replay_.ledger().is_ready(thread, now);
        vacate(number);
        dispatch(number, take(number, *next), now);
        place(thread, now);
        return true;
    }

    // Its priority or its processors have changed. Whether it has lost this one.
    bool is_rescheduled(std::uint32_t number, Operation const& operation, std::int64_t now) {
        auto const thread = processors_[number].thread;
        if (replay_.is_planned_otherwise(thread, operation))
            return false;
        if (operation.kind() == OperationKind::set_affinity)
            allow(thread, usable_affinity(static_cast<std::uint64_t>(operation.value),
                                          static_cast<std::uint32_t>(processors_.size())));
        else
            state(thread).level = level_of(decode_priority(operation.value));
        auto const next = next_for(number);
        bool const is_allowed = may_run(thread, number);
        if (is_allowed && (!next || next->level <= state(thread).level))
            return false;
        replay_.ledger().is_ready(thread, now);
        vacate(number);
        if (next)
            dispatch(number, take(number, *next), now);
        place(thread, now);
        return true;
    }

    // Whether another thread runs now.
    bool slice_is_over(std::uint32_t number, std::int64_t now) {
        if (lets_others_run(number, now))
            return true;
        auto& processor = processors_[number];
        begin_slice(processor, now, never);
        unsliced_.insert(number);
        return false;
    }

    Replay replay_;
    std::int64_t slice_ns_;
    bool queue_per_cpu_;
    std::vector<Processor> processors_;
    std::vector<Task> threads_;
    ReadyQueue<ThreadId> shared_;
    std::vector<ReadyQueue<ThreadId>> own_;  // by processor: those that nobody else may run
    std::size_t waiting_ = 0;                // in all queues
    std::int64_t first_order_ = 0;
    std::int64_t last_order_ = 0;
    Tournament<EventKey> events_;  // by processor
    ProcessorSet idle_;
    ProcessorSet unsliced_;  // whose slice was over when nobody waited, so that it went on
};

}  // namespace

template <>
Run run_under(RoundRobinScheduler const& scheduler, ThreadProgram const& program, Machine const& machine,
              ReplayOptions const& options) {
    return RoundRobinReplay(scheduler, program, machine, options).run();
}

}  // namespace parcast::simulate
