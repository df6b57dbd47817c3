// What all schedulers share: where each thread stands in its list, what its operations do, and the books.
// A scheduler decides when a thread's work is done and calls `execute`; it then gives processors to the
// threads in `released()` and takes the caller's away unless the operation let it go on.

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/kernel_locks.h"
#include "program/sleeps.h"
#include "program/thread_program.h"
#include "program/tried_lock.h"
#include "semantics/operations.h"
#include "simulate/cause_graph_log.h"
#include "simulate/cause_log.h"
#include "simulate/ledger.h"
#include "simulate/past_events.h"
#include "simulate/processor_set.h"
#include "simulate/simulate.h"
#include "simulate/team_threads.h"
#include "simulate/timer_queue.h"

namespace parcast::simulate {

using semantics::Operations;
using semantics::Progress;
using semantics::Release;

enum class TimerKind : std::uint8_t { thread_resumes, balance };

// REQUIRES, for all of it: check(program) holds.
class Replay {
public:
    Replay(ThreadProgram const& program, Machine const& machine, Ledger::Sharing sharing,
           ReplayOptions const& options);

    // The threads that are there from the start begin, ready: these, in this order.
    std::vector<ThreadId> begin();

    // As planned, else as the program says.
    AllowedProcessors allowed_at_first(ThreadId thread, std::uint32_t processors) const;
    Priority priority_at_first(ThreadId thread) const;
    // A change of affinity or priority is void: the plan says another one.
    bool is_planned_otherwise(ThreadId thread, Operation const& change) const;

    // The thread's next operation, its place in the list, and the CPU time that it needs before it can be
    // executed.
    Operation operation(ThreadId thread) const { return threads_[thread.index()].next; }
    std::uint32_t number_of(ThreadId thread) const { return threads_[thread.index()].number; }
    std::int64_t work_ns(ThreadId thread) const {
        if (operations_.retries(thread))
            return 0;
        auto const planned = operation(thread).work_ns;
        auto const work =
            variation_ == nullptr ? planned : variation_->work_ns(thread, number_of(thread), planned);
        return work + threads_[thread.index()].waking_ns;
    }
    // Of that, the part for waking each sleeping thread that the last operation released.
    std::int64_t waking_ns() const { return waking_ns_; }

    // The lock whose word the thread's next operation uses; none if it is no operation of a lock, or of one
    // that is no word of the program.
    ObjectId lock_word(ThreadId thread) const {
        auto const next = operation(thread);
        bool const is_locks =
            next.kind() >= OperationKind::lock && next.kind() <= OperationKind::read_write_unlock;
        if (!is_locks && !operations_.retries(thread))
            return ObjectId::none();
        auto const object = operations_.retries(thread) ? waits_for(thread) : next.object_id();
        return is_kernels(object) ? ObjectId::none() : object;
    }

    // Whether it waits for a lock that the recording got by a try.
    bool tries_on(ThreadId thread) const { return operations_.retries(thread) && is_try(operation(thread)); }

    // What a blocked thread waits for; none if it is a thread.
    ObjectId waits_for(ThreadId thread) const { return operations_.waits_for(thread); }

    ObjectKind kind_of(ObjectId object) const { return program_.catalogue.objects[object.index()].kind; }
    bool is_kernels(ObjectId object) const {
        return program_.objects[object.index()].kernel_lock != KernelLock::none;
    }

    bool is_of_team(ObjectId object) const { return program_.objects[object.index()].team; }
    Duration team_spin() const { return teams_.spin(); }

    // Executes it. Books the caller's waiting, its end, and that released threads are ready.
    Progress execute(ThreadId thread, std::int64_t now);
    // Threads that became ready in the last execute, in order.
    std::vector<ThreadId> const& released() const { return released_; }

    // The thread waits on a processor, or without one, instead of how it has waited until now.
    void spins(ThreadId thread, std::int64_t now, CpuId cpu) {
        threads_[thread.index()].spins = true;
        ledger_.spins(thread, now, cpu, waits_for(thread), operation(thread).site());
    }
    void waits_off_processor(ThreadId thread, std::int64_t now) {
        ledger_.waits(thread, ThreadState::blocked, now, waits_for(thread), operation(thread).site());
    }

    // It has spun long enough: who releases it has to wake it.
    void falls_asleep(ThreadId thread, std::int64_t now) {
        threads_[thread.index()].spins = false;
        waits_off_processor(thread, now);
    }

    // The thread's next operation needs so much less work than the program says.
    void saves(ThreadId thread, std::int64_t work_ns);

    // A timer of the thread: its delay is over, or it hears that it was released. It is ready.
    void resume_after_delay(ThreadId thread, std::int64_t now);

    TimerQueue& timers() { return timers_; }
    TimerQueue const& timers() const { return timers_; }
    Ledger& ledger() { return ledger_; }
    bool is_over() const { return ledger_.live_threads() == 0; }

    // The result. If threads are still alive, nothing can release them: a deadlock.
    Run finish();

private:
    struct ThreadPosition {
        Operation next;
        std::uint32_t number = 0;    // of `next` in the list
        std::int64_t path_ns = 0;    // CPU time of the chain of causes that ends in this thread
        std::int64_t waking_ns = 0;  // work before `next`: for threads that it has released
        Sleeps sleeps;
        bool spins = false;  // where it waits, it has not gone to sleep
    };

    // The thread begins, ready. `creator` is none for a thread that is there from the start.
    void begin(ThreadId thread, std::int64_t now, ThreadId creator);
    void go_to(ThreadId thread, std::uint32_t number) {
        auto& position = threads_[thread.index()];
        position.number = number;
        position.next = program_.lists[thread.index()][number];
    }
    // To the next operation. Those behind it are fetched: the lists of many threads are too many streams
    // for a processor to see that they will be needed.
    void go_on(ThreadId thread) {
        auto const number = number_of(thread) + 1;
        go_to(thread, number);
        program_.lists[thread.index()].fetch(number + 8);
    }
    void go_on_elsewhere(ThreadId thread);
    bool is_last_to_arrive(ThreadId thread, Operation const& operation, Progress progress) const;
    void has_to_wake(ThreadId thread, Operation const& operation, Progress progress);
    void arrive(ThreadId thread, Operation const& operation, std::int64_t now);
    void note_arrival(ThreadId thread, std::int64_t now);
    void takes_path_of(ThreadId thread, ThreadId releaser, std::int64_t now);
    bool hears_late(ThreadId thread, ThreadId releaser) const;
    void hears_of(PastEvents::Event const& event, ThreadId thread, Operation const& operation,
                  std::int64_t now);
    void becomes_ready(ThreadId thread, ThreadId releaser, std::int64_t now);
    bool sleeps(ThreadId thread, Operation const& operation, std::int64_t now);
    std::int64_t served_at(Operation const& operation, std::int64_t now);
    void resume_at(ThreadId thread, std::int64_t when);
    Timeline timeline(Accounts const& accounts);
    void book_waiting(ThreadId thread, Operation const& operation, Progress progress, std::int64_t now);
    void book(Release const& release, ThreadId releaser, std::int64_t now);
    Deadlock deadlock(std::int64_t when) const;

    ThreadProgram const& program_;         // the caller's, for the life of the run
    std::span<PlannedThread const> plan_;  // likewise
    Variation const* variation_;           // likewise; null: as the program says
    Operations operations_;
    TeamThreads teams_;
    Ledger ledger_;
    std::int64_t event_delay_ns_;
    std::vector<CpuId> places_;              // by thread: where it acted last; only with a delay of events
    std::vector<ThreadId> told_by_;          // by thread: who released it, until it hears of it; likewise
    std::optional<PastEvents> past_events_;  // likewise
    std::vector<std::int64_t> servers_;  // of the devices, a heap: when each has served all that it has to
    TimerQueue timers_;
    std::vector<ThreadPosition> threads_;
    std::vector<ThreadId> released_;
    std::int64_t waking_ns_ = 0;
    std::int64_t executed_ = 0;
    std::int64_t last_path_ns_ = 0;  // of the thread that ended last
    ThreadId last_ended_ = ThreadId::none();
    std::optional<CauseLog> causes_;              // if a timeline is asked for
    std::vector<std::vector<Instant>> arrivals_;  // by thread, if asked for
    std::optional<CauseGraphLog> cause_graph_;    // if asked for
    bool waking_is_work_;                         // some object has it beside the lists
    bool counts_work_;                            // the ledger needs to know
    bool logs_arrivals_;
    bool logs_order_;
    std::vector<ThreadId> order_;  // if asked for
    bool takes_notes_;  // one of these: a single test for the many operations of runs that need neither
};

}  // namespace parcast::simulate
