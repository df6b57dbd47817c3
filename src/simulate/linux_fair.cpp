// Who is next in the fair class, by CFS (to Linux 6.5) or EEVDF (since 6.6).
//
// CFS: who has the least virtual run time. A processor's clock is the least that its threads have had.
//
// With periods it is CFS as in Linux 6.1 (kernel/sched/fair.c): at ticks only, who has run for its part of
// the period gives way (check_preempt_tick); a new thread starts such a part behind (START_DEBIT in
// place_entity), a sleeper is owed at most half a period (GENTLE_FAIR_SLEEPERS). Threads count alike,
// whatever their weights.
//
// EEVDF (Stoica and Abdel-Wahab 1995; kernel/sched/fair.c of Linux 6.6): a processor's clock is the average
// of its threads' virtual run times by weight. A thread's lag is what it has had less than that; who has had
// no more is eligible. A thread asks for a slice, due a slice of its own virtual time later, and of those
// that are eligible the one with the earliest deadline is next. Who runs keeps its processor until it has
// had what it asked for, or is no longer eligible when somebody wakes (RUN_TO_PARITY). Who sleeps keeps its
// lag, and who comes with one shifts the clock so that it still has it. Who is there when the recording
// begins is running, so its first slice is whole; that of a thread that is created is half of one.

#include "simulate/linux_replay.h"

namespace parcast::simulate {

// What a thread that has had its fair share has had.
std::int64_t LinuxReplay::fair_clock(Processor const& processor) const {
    if (!eevdf_)
        return processor.minimum;
    auto weight = processor.fair_weight;
    auto moment = processor.fair_moment;
    if (!processor.current.is_none() && !task(processor.current).is_real_time()) {
        auto const& current = task(processor.current);
        weight += current.weight;
        moment += static_cast<__int128>(current.weight) * current.virtual_ns;
    }
    return weight == 0 ? processor.minimum : static_cast<std::int64_t>(moment / weight);
}

bool LinuxReplay::is_eligible(Task const& task, Processor const& processor) const {
    return task.virtual_ns <= fair_clock(processor);
}

// Until others may have the processor.
std::int64_t LinuxReplay::slice_left(Task const& task) const {
    if (!eevdf_ || task.is_real_time())
        return scheduler_.slice.ns;
    auto const left = static_cast<__int128>(task.deadline_ns - task.virtual_ns) * task.weight;
    return std::max<std::int64_t>(static_cast<std::int64_t>(left / nice_zero_weight), 1);
}

// sched_slice: a thread's part, if there are so many.
std::int64_t LinuxReplay::part_of_period(std::size_t threads) const {
    return std::max(scheduler_.slice.ns,
                    slices_a_period * scheduler_.slice.ns / static_cast<std::int64_t>(threads));
}

// The next thread of the queue, in which the running one is not. Rounding may leave nobody eligible: then it
// is the first.
std::optional<ThreadId> LinuxReplay::next_fair(Processor const& processor) const {
    if (processor.fair.empty())
        return std::nullopt;
    if (!eevdf_)
        return processor.fair.first();
    auto const clock = fair_clock(processor);
    auto const eligible =
        processor.fair.first_allowed([&](ThreadId thread) { return task(thread).virtual_ns <= clock; });
    if (eligible || !processor.current.is_none())
        return eligible;
    return processor.fair.first();
}

// REQUIRES: both in the fair class; the current thread is charged up to now; the woken one is in the queue.
bool LinuxReplay::is_fairly_more_urgent(Task const& woken, Processor const& processor) const {
    auto const& current = task(processor.current);
    if (!eevdf_)
        return current.virtual_ns - woken.virtual_ns > scheduler_.wake_up_granularity.ns;
    auto const next = next_fair(processor);
    if (!next || &task(*next) != &woken)
        return false;
    return !is_eligible(current, processor) ||
           (current.asks_again && woken.deadline_ns <= current.deadline_ns);
}

// At the end of a slice: somebody who waits is next. Among equals it is who waits.
bool LinuxReplay::is_overtaken(Processor const& processor) const {
    auto const& current = task(processor.current);
    if (current.takes_turns())
        return current.turn_left_ns == 0;
    if (has_periods_) {
        auto const ran = processor.charged_until - processor.picked;
        auto const ideal = part_of_period(processor.load());
        auto const lead = current.virtual_ns - processor.fair.first_rank();
        return (ran > ideal && lead > 0) || (ran >= scheduler_.slice.ns && lead > ideal);
    }
    if (!eevdf_)
        return processor.fair.first_rank() <= current.virtual_ns;
    auto const next = next_fair(processor);
    return next && (!is_eligible(current, processor) || task(*next).deadline_ns <= current.deadline_ns);
}

// The running thread asks for another slice when it has had the one that it asked for.
void LinuxReplay::asks_again_if_served(Processor& processor, std::int64_t now) {
    auto& current = task(processor.current);
    if (!eevdf_ || current.is_real_time() || current.virtual_ns < current.deadline_ns)
        return;
    // Alone, it has had several since somebody looked.
    auto const slices = (current.virtual_ns - current.deadline_ns) / request(current) + 1;
    current.deadline_ns += slices * request(current);
    current.asks_again = true;
    processor.slice_ends = now + slice_left(current);
}

// CFS: a new thread starts level with the others, with periods a part of one behind, or where its creator
// is. A sleeper keeps what it is owed, up to half a slice, with periods half of one, so that it may preempt
// but not starve them. EEVDF: who comes has the lag that it left with; a new thread has none, and asks for
// half a slice.
void LinuxReplay::place_virtual_time(Task& task, std::uint32_t number,
                                     std::optional<std::uint32_t> creator) const {
    auto const& processor = processors_[number];
    if (eevdf_) {
        task.virtual_ns = with_lag(task, processor);
        task.deadline_ns = task.virtual_ns + (creator ? request(task) / 2 : request(task));
        return;
    }
    if (has_periods_ && creator) {
        auto const& others = processors_[*creator];
        auto const ahead = this->task(others.current).virtual_ns - others.minimum;
        task.virtual_ns = processor.minimum + std::max(part_of_period(others.load() + 1), ahead);
        return;
    }
    auto const most_owed = (has_periods_ ? slices_a_period : 1) * scheduler_.slice.ns / 2;
    auto const owed = task.processor ? processors_[*task.processor].minimum - task.virtual_ns : 0;
    task.virtual_ns = processor.minimum - std::min(owed, most_owed);
}

// Virtual run time with which it will have its lag when it counts for the clock, too.
std::int64_t LinuxReplay::with_lag(Task const& task, Processor const& processor) const {
    auto others = processor.fair_weight;
    if (!processor.current.is_none() && !this->task(processor.current).is_real_time())
        others += this->task(processor.current).weight;
    if (others == 0)
        return fair_clock(processor);
    auto const lag = static_cast<__int128>(task.lag_ns) * (others + task.weight) / others;
    return fair_clock(processor) - static_cast<std::int64_t>(lag);
}

// To the queue of another processor. REQUIRES: it is still in its own.
void LinuxReplay::carry_virtual_time(Task& task, std::uint32_t from, std::uint32_t to) {
    if (!eevdf_) {
        task.virtual_ns += processors_[to].minimum - processors_[from].minimum;
        return;
    }
    leaves_fair_clock(task, processors_[from]);
    forget_fair(processors_[from], task);
    auto const to_deadline = task.deadline_ns - task.virtual_ns;
    task.virtual_ns = with_lag(task, processors_[to]);
    task.deadline_ns = task.virtual_ns + to_deadline;
}

// REQUIRES: it still counts for the clock, and is charged up to now.
void LinuxReplay::leaves_fair_clock(Task& task, Processor const& processor) const {
    if (!eevdf_ || task.is_real_time())
        return;
    auto const most = 2 * request(task);
    task.lag_ns = std::clamp(fair_clock(processor) - task.virtual_ns, -most, most);
}

// The running thread has another priority. What it is owed, or owes, is no more than what a sleeper keeps.
void LinuxReplay::changes_weight(Task& running, Processor const& processor) const {
    if (!eevdf_) {
        running.virtual_ns = std::max(running.virtual_ns, processor.minimum);
        return;
    }
    auto const most = 2 * request(running);
    running.virtual_ns = std::clamp(running.virtual_ns, processor.minimum - most, processor.minimum + most);
    running.deadline_ns = running.virtual_ns + request(running);
}

void LinuxReplay::push_fair(Processor& processor, ThreadId thread) {
    auto const& waiting = task(thread);
    processor.fair.push(thread, eevdf_ ? waiting.deadline_ns : waiting.virtual_ns);
    if (!eevdf_)
        return;
    processor.fair_weight += waiting.weight;
    processor.fair_moment += static_cast<__int128>(waiting.weight) * waiting.virtual_ns;
}

// It leaves the queue.
void LinuxReplay::forget_fair(Processor& processor, Task const& waiting) const {
    if (!eevdf_)
        return;
    processor.fair_weight -= waiting.weight;
    processor.fair_moment -= static_cast<__int128>(waiting.weight) * waiting.virtual_ns;
}

}  // namespace parcast::simulate
