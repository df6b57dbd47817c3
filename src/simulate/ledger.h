// Keeps the accounts of a run, and its intervals if asked: a scheduler reports each change of a
// thread's state, and nothing else. O(1) per change.

#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "program/thread_program.h"
#include "simulate/idle_meter.h"
#include "simulate/interval_log.h"
#include "simulate/simulate.h"
#include "timeline/accounts.h"
#include "timeline/interval_sink.h"

namespace parcast::simulate {

class Ledger {
public:
    enum class Sharing : std::uint8_t {
        exclusive,  // a running thread has a processor of its own
        shared,     // running threads share: what is not work was waiting for a processor
    };

    enum class Speed : std::uint8_t {
        full,     // an executed operation's work took its time
        varying,  // it took longer while other processors were busy
    };

    Ledger(ThreadProgram const& program, std::uint32_t cpus, Sharing sharing, Speed speed,
           ReplayOptions const& options);

    // The thread comes into being, ready.
    void begins(ThreadId thread, std::int64_t now);
    void ends(ThreadId thread, std::int64_t now);

    void runs(ThreadId thread, std::int64_t now, CpuId cpu) { enter(thread, ThreadState::running, now, cpu); }
    void switches(ThreadId thread, std::int64_t now, CpuId cpu) {
        enter(thread, ThreadState::switching, now, cpu);
    }
    // It waits for the object without giving up its processor.
    void spins(ThreadId thread, std::int64_t now, CpuId cpu, ObjectId object, SiteId site);
    // It waits no more, but has no processor; `releaser` ended its waiting.
    void is_ready(ThreadId thread, std::int64_t now, ThreadId releaser = ThreadId::none());
    // What it lacks, being ready, is no processor but an LWP to run on.
    void lacks_carrier(ThreadId thread) { entries_[thread.index()].lacks_carrier = true; }
    // blocked, sleeping or input_output. `object` may be none.
    void waits(ThreadId thread, ThreadState state, std::int64_t now, ObjectId object, SiteId site);
    // It waits on, for another object.
    void waits_on(ThreadId thread, std::int64_t now, ObjectId object, ThreadId releaser);

    // Work that the thread completed since it last began to run; only needed when processors are shared or
    // the speed varies.
    void worked(ThreadId thread, std::int64_t work_ns) {
        entries_[thread.index()].work_ns += work_ns;
        worked_ns_ += work_ns;
    }

    // What the thread waits for is a thread that comes to the same point, as a rendezvous.
    void waits_to_meet(ThreadId thread) { entries_[thread.index()].meets = true; }

    void counts_operation(ObjectId object) { ++accounts_.objects[object.index()].operations; }
    void counts_blocked(ObjectId object) { ++accounts_.objects[object.index()].blocked_operations; }
    void counts_switch() { ++accounts_.context_switches; }
    void counts_migration() { ++accounts_.migrations; }
    void counts_turn(ThreadId thread) { ++accounts_.threads[thread.index()].turns; }
    void executed(std::int64_t operations) { accounts_.operations += operations; }

    std::uint32_t live_threads() const { return live_; }
    std::int64_t last_change() const { return last_change_; }
    bool is_live(ThreadId thread) const { return entries_[thread.index()].live; }
    ThreadState state(ThreadId thread) const { return entries_[thread.index()].state; }
    // Where it runs; none if nowhere, or on a share.
    CpuId processor_of(ThreadId thread) const { return entries_[thread.index()].cpu; }

    // Closes every account at `completion`: the last end, or the deadlock.
    Accounts close(std::int64_t completion);
    // After close. None unless asked for.
    std::optional<IntervalColumns> intervals() const;

private:
    enum class IdleCause : std::uint8_t {
        ready,
        locks,
        conditions,
        input_output,
        sleeping,
        joining,
        carrier
    };
    static constexpr std::size_t idle_cause_count = 7;

    struct Entry {                      // the state in which a thread is now
        FixedPoint meter_at_entry = 0;  // its share of processors in `running`, else of their idle time
        std::int64_t since = 0;
        std::int64_t work_ns = 0;
        ObjectId object = ObjectId::none();
        SiteId site = SiteId::none();
        ThreadId releaser = ThreadId::none();
        CpuId cpu = CpuId::none();
        ThreadState state = ThreadState::ready;
        bool live = false;
        bool lacks_carrier = false;
        bool meets = false;  // waits for a thread to come, not for its end
    };

    void enter(ThreadId thread, ThreadState state, std::int64_t now, CpuId cpu = CpuId::none());
    void leave(ThreadId thread, Entry& entry, std::int64_t now);
    void hand_over(ThreadId thread, Entry const& entry, std::int64_t now);
    std::int64_t time_on_processor(Entry const& entry, std::int64_t elapsed_ns) const;
    void charge_idle(Entry const& entry);
    void close_work();
    IdleCause cause_of(Entry const& entry) const;
    void close_processors(std::int64_t completion);

    ThreadProgram const& program_;  // the caller's, for the life of the run
    Sharing sharing_;
    Speed speed_;
    IdleMeter meter_;
    Accounts accounts_;
    std::vector<Entry> entries_;
    std::array<FixedPoint, idle_cause_count> idle_by_cause_{};
    std::vector<FixedPoint> idle_by_object_;
    std::optional<IntervalLog> log_;
    IntervalSink const* sink_;  // null: nobody asked; else the caller's, for the life of the run
    std::uint32_t live_ = 0;
    std::int64_t worked_ns_ = 0;
    std::int64_t last_change_ = 0;
};

}  // namespace parcast::simulate
