// Threads that wait on their processors before they sleep: how long, and what ends it.
//
// A spinning thread is scheduled like one that works: it can be preempted, keeps what is left of its budget
// while it queues, and is slowed by nothing, since it does nothing. Released on its processor it goes on at
// once, without the latency of a wake-up.

#include "simulate/linux_replay.h"

namespace parcast::simulate {

namespace {

// A pthread spin lock spins without end. Ten seconds of its own processor time are as good, and let a
// deadlock of spinning threads be found.
constexpr Duration without_end{10'000'000'000};

}  // namespace

// How long a thread that has just blocked keeps its processor.
Duration LinuxReplay::spin_budget(ThreadId thread, Operation const& operation) const {
    auto const object = replay_.waits_for(thread);
    if (object.is_none())
        return {};
    if (replay_.is_of_team(object))
        return replay_.team_spin();
    switch (replay_.kind_of(object)) {
        case ObjectKind::spin_lock: return without_end;
        case ObjectKind::mutex: return waiting_policy_.lock_spin;
        case ObjectKind::reader_writer_lock:
            return replay_.is_kernels(object) ? Duration() : waiting_policy_.lock_spin;
        case ObjectKind::barrier: return waiting_policy_.barrier_spin;
        default:
            return operation.kind() == OperationKind::condition_barrier ? waiting_policy_.barrier_spin
                                                                        : waiting_policy_.condition_spin;
    }
}

// REQUIRES: the current thread has blocked, and its processor is charged up to now.
bool LinuxReplay::begins_spinning(std::uint32_t number, Operation const& operation, std::int64_t now) {
    auto const thread = processors_[number].current;
    auto& waiting = task(thread);
    // One that tries again, having spun or slept, has what it left over.
    auto const number_of_wait = replay_.number_of(thread);
    if (std::exchange(waiting.spun_for, number_of_wait) != number_of_wait)
        waiting.spin_left_ns = spin_budget(thread, operation).ns;
    if (std::exchange(waiting.at_hot_lock, false))
        waiting.spin_left_ns = std::max(waiting.spin_left_ns, time_to_sleep_ns());
    if (waiting.spin_left_ns == 0)
        return false;
    waiting.spins = true;
    processors_[number].owed_overhead_ns = 0;  // it wakes others instead of spinning
    spin_current(number, now);
    if (processors_[number].must_reschedule)
        preempt(number, now);
    return true;
}

void LinuxReplay::spin_current(std::uint32_t number, std::int64_t now) {
    auto& processor = processors_[number];
    set_phase(number, Phase::spinning, now);
    processor.phase_ends = now + task(processor.current).spin_left_ns;
    replay_.spins(processor.current, now, CpuId(number));
    arm(number, now);
}

// The budget is spent: it gives up its processor.
void LinuxReplay::falls_asleep(std::uint32_t number, std::int64_t now) {
    auto& processor = processors_[number];
    charge(processor, now);
    auto& sleeper = task(processor.current);
    sleeper.spins = false;
    sleeper.spin_left_ns = 0;
    replay_.falls_asleep(processor.current, now);
    goes_to_sleep(processor.current, number, now);
    dispatch(number, now);
}

// The thread was released before its budget was spent.
void LinuxReplay::stop_spinning(ThreadId thread, std::int64_t now) {
    auto& released = task(thread);
    released.spins = false;
    released.remaining_ns = replay_.work_ns(thread);
    auto const number = *released.processor;
    auto& processor = processors_[number];
    if (processor.current != thread)
        return;                               // it waits in the queue, now for its turn only
    if (processor.phase == Phase::switching)  // to it
        return replay_.ledger().switches(thread, now, CpuId(number));
    charge(processor, now);
    released.spin_left_ns = processor.phase_ends - now;
    run_current(number, now);
}

}  // namespace parcast::simulate
