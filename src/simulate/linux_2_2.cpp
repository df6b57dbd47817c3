// The scheduler of Linux 2.2, as Broberg 2002, paper III, simulates it: one list of runnable threads for all
// processors, counters of ticks, and the goodness of a thread for a processor. No costs and no rates.
//
//     goodness(thread, processor) = 1000 + level                                of a real-time thread
//                                 = 0                                           if its counter is 0
//                                 = counter + priority + 1 + (penalty, if it ran on this processor last)
//
// The penalty is that of changing processors (PROC_CHANGE_PENALTY); the 1 is for the address space, which
// threads share. A processor begins with its thread, and takes the runnable one of greatest goodness, from
// the head of the list on; others must beat it. If the best has none, every thread, whether it waits or not,
// gets counter / 2 + priority. A slice of counter c is over after c + 1 ticks.
//
// A woken thread joins the list at its head, and takes: its last processor, if that is idle; else the first
// idle one; else its last one, and else the first, where its goodness is greater than that of the thread that
// runs there. A thread that loses its processor so is offered to the others in the same way.
//
// Chosen: a tick is one of the CPU time that the thread has used, not one of a clock that samples who runs;
// both are the same in the mean, and a program that begins later runs alike. A thread that may not use a
// processor is looked past (2.2 has no affinity). At one instant delays end before threads act, and of these
// the one on the first processor acts first.
//
// Cost: O(log P) an operation that another event may come before; O(1) for the others. Choosing a thread is
// O(waiting), as in that kernel; waking one without an idle processor, and a refill, O(P).

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "core/tournament.h"
#include "simulate/event_key.h"
#include "simulate/processor_set.h"
#include "simulate/replay.h"
#include "simulate/run_under.h"

namespace parcast::simulate {

namespace {

constexpr std::int64_t never = EventKey{}.time;

class Linux22Replay {
public:
    Linux22Replay(Linux22Scheduler const& scheduler, ThreadProgram const& program, Machine const& machine,
                  ReplayOptions const& options)
        : replay_(program, machine, Ledger::Sharing::exclusive, options),
          scheduler_(scheduler),
          processors_(machine.cpus),
          threads_(program.lists.size()),
          events_(machine.cpus),
          idle_(machine.cpus) {
        for (std::uint32_t number = 0; number < machine.cpus; ++number)
            idle_.insert(number);
        for (std::size_t thread = 0; thread < threads_.size(); ++thread) {
            auto& task = threads_[thread];
            task.allowed = replay_.allowed_at_first(ThreadId(thread), machine.cpus);
            set_priority(task, replay_.priority_at_first(ThreadId(thread)));
            task.counter = task.priority;
        }
    }

    Run run() {
        for (ThreadId const initial : replay_.begin())
            wake(initial, 0);
        while (!replay_.is_over()) {
            auto const event = events_.first();
            auto const timer = replay_.timers().first();
            if (event.is_never() && timer.is_never())
                break;
            if (timer.time <= event.time) {
                replay_.timers().pop();
                ThreadId const thread(timer.slot());
                replay_.resume_after_delay(thread, timer.time);
                wake(thread, timer.time);
            } else {
                advance(event.slot(), event.time);
            }
        }
        return replay_.finish();
    }

private:
    struct Processor {
        ThreadId thread = ThreadId::none();  // none: idle, or its thread has just left it
        std::int64_t since = 0;              // up to when the thread's work is accounted for
        std::int64_t ticks_since = 0;        // up to when its ticks are
        std::int64_t slice_end = never;
    };
    struct Task {
        AllowedProcessors allowed;
        std::optional<std::uint32_t> last;  // the processor on which it ran; of a new one, its creator
        std::int64_t priority = 0;          // and refill
        std::int64_t counter = 0;           // ticks
        std::int64_t part_of_tick_ns = 0;   // used, and not yet taken from the counter
        std::uint64_t refills = 0;          // that the counter has had
        std::int64_t left_ns = 0;           // work before its next operation
        std::int64_t position = 0;          // in the list of runnable threads
        std::size_t place = 0;              // in waiting_
        int level = 0;                      // real-time level; 0: none
        bool has_run = false;
    };
    // The thread that a processor could run, if any, and its goodness.
    struct Best {
        ThreadId thread = ThreadId::none();
        std::int64_t goodness = no_thread;
    };
    static constexpr std::int64_t no_thread = -1000;
    enum class Yields : std::uint8_t { no, yes };

    Task& state(ThreadId thread) { return threads_[thread.index()]; }
    Task const& state(ThreadId thread) const { return threads_[thread.index()]; }

    void set_priority(Task& task, Priority priority) const {
        bool const is_real_time = priority.scheduling_class == SchedulingClass::real_time;
        auto const nice = is_real_time ? 0 : priority.level;
        task.level = is_real_time ? priority.level : 0;
        task.priority = std::max<std::int64_t>(1, scheduler_.refill_ticks * (20 - nice) / 20);
    }

    // --- counters

    // The refills since the thread was looked at last. Few change anything: the counter stays below twice the
    // priority.
    void refill(Task& task) const {
        for (; task.refills < refills_; ++task.refills) {
            auto const before = std::exchange(task.counter, task.counter / 2 + task.priority);
            if (task.counter == before) {
                task.refills = refills_;
                return;
            }
        }
    }

    // Takes the ticks that the thread has used from its counter.
    void charge(Processor& processor, std::int64_t now) {
        auto& task = state(processor.thread);
        auto const used_ns = task.part_of_tick_ns + now - std::exchange(processor.ticks_since, now);
        task.part_of_tick_ns = used_ns % scheduler_.tick.ns;
        task.counter -= used_ns / scheduler_.tick.ns;
        if (task.counter < 0) {
            task.counter = 0;
            task.part_of_tick_ns = 0;
        }
    }

    // REQUIRES: the thread is charged up to now.
    void begin_slice(std::uint32_t number, std::int64_t now) {
        auto& processor = processors_[number];
        auto const& task = state(processor.thread);
        auto const slice_ns = (task.counter + 1) * scheduler_.tick.ns - task.part_of_tick_ns;
        processor.slice_end = task.level > 0 ? never : now + slice_ns;
        await(number);
    }

    void refill_all(std::int64_t now) {
        ++refills_;
        for (std::uint32_t number = 0; number < processors_.size(); ++number) {
            auto& processor = processors_[number];
            if (processor.thread.is_none())
                continue;
            charge(processor, now);
            refill(state(processor.thread));
            begin_slice(number, now);
        }
    }

    // REQUIRES: the counter is up to date, but for refills of threads that do not run.
    std::int64_t goodness(ThreadId thread, std::uint32_t number) {
        auto& task = state(thread);
        if (task.level > 0)
            return 1000 + task.level;
        refill(task);
        if (task.counter == 0)
            return 0;
        return task.counter + task.priority + 1 + (task.last == number ? scheduler_.change_penalty : 0);
    }

    // --- who runs where

    void push(ThreadId thread) {
        state(thread).place = waiting_.size();
        waiting_.push_back(thread);
    }
    void take(ThreadId thread) {
        auto const place = state(thread).place;
        waiting_[place] = waiting_.back();
        state(waiting_[place]).place = place;
        waiting_.pop_back();
    }

    void wake(ThreadId thread, std::int64_t now) {
        auto& task = state(thread);
        task.left_ns = replay_.work_ns(thread);
        task.position = --first_position_;
        push(thread);
        offer(thread, std::nullopt, now);
    }

    // Who loses its processor is offered in turn. This ends: each change raises the goodness of what runs on
    // one processor.
    void offer(ThreadId thread, std::optional<std::uint32_t> except, std::int64_t now) {
        while (auto const number = processor_for(thread, except, now)) {
            thread = schedule(*number, now);
            if (thread.is_none())
                return;
            except = number;
        }
    }

    std::optional<std::uint32_t> processor_for(ThreadId thread, std::optional<std::uint32_t> except,
                                               std::int64_t now) {
        auto const& task = state(thread);
        auto const last = task.last && task.allowed.contain(*task.last) ? task.last : std::nullopt;
        if (last && idle_.contains(*last))
            return last;
        if (auto const idle = idle_.first_allowed(task.allowed))
            return idle;
        if (last && last != except && beats(thread, *last, now))
            return last;
        for (std::uint32_t number = 0; number < processors_.size(); ++number)
            if (number != except && task.allowed.contain(number) && beats(thread, number, now))
                return number;
        return std::nullopt;
    }

    bool beats(ThreadId thread, std::uint32_t number, std::int64_t now) {
        auto& processor = processors_[number];
        if (processor.thread.is_none())
            return false;
        charge(processor, now);
        return goodness(thread, number) > goodness(processor.thread, number);
    }

    Best best_for(std::uint32_t number, Yields yields) {
        auto const own = processors_[number].thread;
        Best best;
        if (!own.is_none())
            best = {own, yields == Yields::yes ? 0 : goodness(own, number)};
        for (ThreadId const thread : waiting_) {
            if (!state(thread).allowed.contain(number))
                continue;
            auto const candidate = goodness(thread, number);
            bool const comes_before = candidate == best.goodness && best.thread != own &&
                                      state(thread).position < state(best.thread).position;
            if (candidate > best.goodness || comes_before)
                best = {thread, candidate};
        }
        return best;
    }

    // The processor takes the best thread. Which one has lost it so; none: its own goes on, or it had none.
    ThreadId schedule(std::uint32_t number, std::int64_t now, Yields yields = Yields::no) {
        auto& processor = processors_[number];
        auto const own = processor.thread;
        if (!own.is_none())
            charge(processor, now);
        auto best = best_for(number, yields);
        if (best.goodness == 0) {
            refill_all(now);
            best = best_for(number, Yields::no);
        }
        if (best.thread == own) {
            if (own.is_none() && !idle_.contains(number))
                becomes_idle(number);
            else if (!own.is_none())
                begin_slice(number, now);
            return ThreadId::none();
        }
        take(best.thread);
        if (!own.is_none()) {
            state(own).left_ns -= now - processor.since;
            replay_.ledger().is_ready(own, now);
            push(own);
        }
        dispatch(number, best.thread, now);
        return own;
    }

    void dispatch(std::uint32_t number, ThreadId thread, std::int64_t now) {
        auto& processor = processors_[number];
        auto& task = state(thread);
        if (idle_.contains(number))
            idle_.erase(number);
        processor.thread = thread;
        processor.since = processor.ticks_since = now;
        if (std::exchange(task.has_run, true) && task.last != number)
            replay_.ledger().counts_migration();
        task.last = number;
        replay_.ledger().counts_switch();
        replay_.ledger().runs(thread, now, CpuId(number));
        begin_slice(number, now);
    }

    void becomes_idle(std::uint32_t number) {
        events_.clear(number);
        idle_.insert(number);
    }

    // The processor's next event: its thread's work is done, or its slice is over.
    void await(std::uint32_t number) {
        auto const& processor = processors_[number];
        auto const done = processor.since + state(processor.thread).left_ns;
        events_.set(number, {std::min(done, processor.slice_end), number});
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
            if (end > processor.slice_end || !lead.reaches(EventKey{end, number}) ||
                end >= replay_.timers().first().time)
                break;
            now = end;
            left_ns = 0;
            processor.since = now;
        }
        if (left_ns > 0 && now >= processor.slice_end)
            return reschedule(number, now);
        await(number);
    }

    // Whether the thread keeps its processor after the operation that it executed, and nothing else moved.
    bool goes_on(std::uint32_t number, Operation const& operation, Progress progress, std::int64_t now) {
        auto& processor = processors_[number];
        auto const thread = processor.thread;
        bool const leaves =
            progress == Progress::blocks || progress == Progress::delays || progress == Progress::ends;
        if (leaves) {
            charge(processor, now);
            processor.thread = ThreadId::none();
            events_.clear(number);
        } else {
            state(thread).left_ns = replay_.work_ns(thread);
        }
        for (auto const released : replay_.released())
            release(number, released, leaves ? ThreadId::none() : thread, now);
        if (leaves) {
            schedule(number, now);
            return false;
        }
        if (processor.thread != thread)
            return false;
        switch (progress) {
            case Progress::yields:
                state(thread).position = ++last_position_;
                reschedule(number, now, Yields::yes);
                return false;
            case Progress::reschedules: return !is_rescheduled(number, operation, now);
            default: return true;
        }
    }

    void release(std::uint32_t number, ThreadId released, ThreadId releaser, std::int64_t now) {
        auto& task = state(released);
        if (!task.last) {  // a new one
            task.last = number;
            task.refills = refills_;
            if (scheduler_.clone_shares_counter != 0 && !releaser.is_none() && task.level == 0)
                share_counter(number, releaser, task, now);
        }
        wake(released, now);
    }

    // The child begins with what the creator has left, halved between both.
    void share_counter(std::uint32_t number, ThreadId creator, Task& child, std::int64_t now) {
        charge(processors_[number], now);
        state(creator).counter /= 2;
        child.counter = state(creator).counter;
        begin_slice(number, now);
    }

    // Its priority or its processors have changed. Whether others may have come first.
    bool is_rescheduled(std::uint32_t number, Operation const& operation, std::int64_t now) {
        auto& processor = processors_[number];
        auto const thread = processor.thread;
        auto& task = state(thread);
        if (replay_.is_planned_otherwise(thread, operation))
            return false;
        if (operation.kind() == OperationKind::set_affinity) {
            task.allowed = usable_affinity(static_cast<std::uint64_t>(operation.value),
                                           static_cast<std::uint32_t>(processors_.size()));
        } else {
            set_priority(task, decode_priority(operation.value));
            task.position = --first_position_;
        }
        if (task.allowed.contain(number)) {
            reschedule(number, now);
            return true;
        }
        charge(processor, now);
        replay_.ledger().is_ready(thread, now);
        processor.thread = ThreadId::none();
        events_.clear(number);
        push(thread);
        schedule(number, now);
        offer(thread, number, now);
        return true;
    }

    void reschedule(std::uint32_t number, std::int64_t now, Yields yields = Yields::no) {
        auto const loser = schedule(number, now, yields);
        if (!loser.is_none())
            offer(loser, number, now);
    }

    Replay replay_;
    Linux22Scheduler scheduler_;
    std::vector<Processor> processors_;
    std::vector<Task> threads_;
    std::vector<ThreadId> waiting_;  // runnable, without a processor; in any order
    std::int64_t first_position_ = 0;
    std::int64_t last_position_ = 0;
    std::uint64_t refills_ = 0;
    Tournament<EventKey> events_;  // by processor
    ProcessorSet idle_;
};

}  // namespace

template <>
Run run_under(Linux22Scheduler const& scheduler, ThreadProgram const& program, Machine const& machine,
              ReplayOptions const& options) {
    return Linux22Replay(scheduler, program, machine, options).run();
}

}  // namespace parcast::simulate
