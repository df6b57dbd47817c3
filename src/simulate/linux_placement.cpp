// On which processor a thread waits: placement on wake-up, pulling by idle processors, balancing.

#include "simulate/linux_replay.h"

namespace parcast::simulate {

void LinuxReplay::make_ready(ThreadId thread, std::optional<std::uint32_t> releaser, std::int64_t now) {
    auto& woken = task(thread);
    if (woken.spins)
        return stop_spinning(thread, now);
    // A thread that moves because of its affinity has a part of its work behind it already.
    bool const moves = releaser && processors_[*releaser].current == thread;
    if (!moves)
        woken.remaining_ns = replay_.work_ns(thread);
    auto const number = choose_processor(woken);
    bring_clock_up_to(number, now);
    if (woken.processor)
        bring_clock_up_to(*woken.processor, now);
    bool const is_new = !woken.processor;
    bool const finds_idle = processors_[number].phase == Phase::idle;
    woken.queued_to_wake = !finds_idle && !is_new && !moves;
    place_virtual_time(woken, number);
    enqueue(number, thread);
    settle(number, thread, finds_idle && releaser ? latency(*releaser) : Duration{0}, now);
    arm_balancing(now);
}

// Until a thread runs on the idle processor that it was placed on. Who releases several wakes one after the
// other, and pays for each.
Duration LinuxReplay::latency(std::uint32_t releaser) {
    auto& owed_ns = processors_[releaser].owed_overhead_ns;
    auto const latency = costs_.wake_up + Duration{owed_ns};
    owed_ns += costs_.wake_waiter.ns;
    return latency;
}

// A thread has joined the queue of a processor: wakes it, interrupts it, or leaves it alone.
void LinuxReplay::settle(std::uint32_t number, ThreadId thread, Duration latency, std::int64_t now) {
    auto& processor = processors_[number];
    switch (processor.phase) {
        case Phase::idle:
            if (latency.ns == 0)
                return dispatch(number, now);
            set_phase(number, Phase::waking, now);
            processor.phase_ends = now + latency.ns;
            events_.set(number, {processor.phase_ends, number});
            return;
        case Phase::waking: return;
        case Phase::switching: processor.must_reschedule |= is_more_urgent(task(thread), processor); return;
        case Phase::running:
        case Phase::spinning:
            charge(processor, now);
            if (!is_more_urgent(task(thread), processor)) {
                if (!processor.executing)
                    arm(number, now);
            } else if (processor.executing) {
                processor.must_reschedule = true;
            } else {
                preempt(number, now);
            }
    }
}

// REQUIRES: the processor has a current thread, charged up to now.
bool LinuxReplay::is_more_urgent(Task const& woken, Processor const& processor) const {
    auto const& current = task(processor.current);
    if (woken.is_real_time() != current.is_real_time())
        return woken.is_real_time();
    if (woken.is_real_time())
        return woken.priority.level > current.priority.level;
    return current.virtual_ns - woken.virtual_ns > scheduler_.wake_up_granularity.ns;
}

std::uint32_t LinuxReplay::choose_processor(Task const& task) const {
    auto const previous =
        task.processor && allows(task.affinity, *task.processor) ? task.processor : std::nullopt;
    if (previous && processors_[*previous].phase == Phase::idle)
        return *previous;
    if (auto const idle = idle_.first_allowed(task.affinity))
        return *idle;
    if (task.is_real_time())
        return choose_for_real_time(task);
    return previous ? *previous : least_loaded(task);
}

// Where it can run at once, on the processor with the least urgent thread; else on its own.
std::uint32_t LinuxReplay::choose_for_real_time(Task const& woken) const {
    auto const urgency = [this](Processor const& processor) {
        if (processor.current.is_none())
            return 0;
        auto const& current = task(processor.current);
        return current.is_real_time() ? current.priority.level : 0;
    };
    auto best =
        woken.processor && allows(woken.affinity, *woken.processor) ? *woken.processor : least_loaded(woken);
    for (std::uint32_t number = 0; number < processor_count(); ++number) {
        if (allows(woken.affinity, number) && urgency(processors_[number]) < urgency(processors_[best])) {
            best = number;
        }
    }
    return best;
}

std::uint32_t LinuxReplay::least_loaded(Task const& task) const {
    std::optional<std::uint32_t> best;
    for (std::uint32_t number = 0; number < processor_count(); ++number) {
        if (!allows(task.affinity, number))
            continue;
        if (!best || processors_[number].load() < processors_[*best].load())
            best = number;
    }
    ensure(best.has_value(), "an affinity that allows some processor");
    return *best;
}

// A new thread starts level with the others. A sleeper keeps what it is owed, up to half a slice, so
// that it may preempt but not starve them (Linux: GENTLE_FAIR_SLEEPERS).
void LinuxReplay::place_virtual_time(Task& task, std::uint32_t number) const {
    auto const minimum = processors_[number].minimum;
    if (!task.processor) {
        task.virtual_ns = minimum;
    } else {
        auto const owed = processors_[*task.processor].minimum - task.virtual_ns;
        task.virtual_ns = minimum - std::min(owed, scheduler_.slice.ns / 2);
    }
}

// A thread that runs alone is charged only when somebody looks; who comes is placed relative to it.
void LinuxReplay::bring_clock_up_to(std::uint32_t number, std::int64_t now) {
    auto& processor = processors_[number];
    if (processor.has_thread_on_it() && !processor.current.is_none())
        charge(processor, now);
}

void LinuxReplay::enqueue(std::uint32_t number, ThreadId thread) {
    auto& waiting = task(thread);
    waiting.processor = number;
    ++waiting_;
    if (waiting.is_real_time()) {
        processors_[number].real_time.push(thread, real_time_rank(waiting));
        ++waiting_real_time_;
    } else {
        processors_[number].fair.push(thread, waiting.virtual_ns);
    }
}

std::optional<ThreadId> LinuxReplay::pick(std::uint32_t number) {
    auto& processor = processors_[number];
    if (processor.waiting() == 0)
        return std::nullopt;
    --waiting_;
    if (processor.real_time.empty())
        return processor.fair.pop();
    --waiting_real_time_;
    return processor.real_time.pop();
}

void LinuxReplay::move(ThreadId thread, std::uint32_t from, std::uint32_t to, std::int64_t now) {
    auto& moved = task(thread);
    bring_clock_up_to(from, now);
    bring_clock_up_to(to, now);
    --waiting_;
    if (moved.is_real_time()) {
        processors_[from].real_time.remove(thread);
        --waiting_real_time_;
    } else {
        processors_[from].fair.remove(thread);
        moved.virtual_ns += processors_[to].minimum - processors_[from].minimum;
    }
    enqueue(to, thread);
}

// Takes the most urgent real-time thread that waits elsewhere, if it beats what waits here.
void LinuxReplay::pull_real_time(std::uint32_t number, std::int64_t now) {
    auto const& own = processors_[number].real_time;
    std::optional<std::int64_t> best_rank;
    if (!own.empty())
        best_rank = own.first_rank();
    std::optional<ThreadId> best;
    std::uint32_t source = number;
    for (std::uint32_t other = 0; other < processor_count(); ++other) {
        auto const& queue = processors_[other].real_time;
        if (other == number || queue.empty() || !has_spare(processors_[other]))
            continue;
        auto const candidate =
            queue.first_allowed([&](ThreadId thread) { return allows(task(thread).affinity, number); });
        if (!candidate)
            continue;
        auto const rank = real_time_rank(task(*candidate));
        if (best_rank && rank >= *best_rank)
            continue;
        best_rank = rank;
        best = candidate;
        source = other;
    }
    if (best)
        move(*best, source, number, now);
}

// Takes a thread from the longest queue that has one for this processor.
void LinuxReplay::pull_fair(std::uint32_t number, std::int64_t now) {
    std::optional<ThreadId> best;
    std::uint32_t source = number;
    for (std::uint32_t other = 0; other < processor_count(); ++other) {
        auto const& queue = processors_[other].fair;
        bool const is_longer = !best || queue.size() > processors_[source].fair.size();
        if (other == number || queue.empty() || !is_longer || !has_spare(processors_[other]))
            continue;
        auto const candidate =
            queue.first_allowed([&](ThreadId thread) { return allows(task(thread).affinity, number); });
        if (!candidate)
            continue;
        best = candidate;
        source = other;
    }
    if (best)
        move(*best, source, number, now);
}

void LinuxReplay::arm_balancing(std::int64_t now) {
    if (balancing_ || waiting_ == 0 || processor_count() == 1)
        return;
    balancing_ = true;
    replay_.timers().push(
        {now + scheduler_.balance_interval.ns, static_cast<std::uint64_t>(TimerKind::balance) << 32});
}

// Evens out queues that differ by two or more. Then one thread of a longer queue moves to a queue that is
// shorter by one, another one each time: so that, say, three threads on two processors progress
// equally in the long run.
void LinuxReplay::balance(std::int64_t now) {
    balancing_ = false;
    for (std::uint32_t moves = 0; moves < processor_count() && balance_once(2, now); ++moves) {
    }
    balance_once(1, now);
    arm_balancing(now);
}

// Of those that can give a thread away; none if none can.
std::optional<std::uint32_t> LinuxReplay::longest_queue() const {
    std::optional<std::uint32_t> longest;
    for (std::uint32_t number = 0; number < processor_count(); ++number) {
        auto const& processor = processors_[number];
        bool const can_give = !processor.fair.empty() && has_spare(processor);
        if (can_give && (!longest || processor.load() > processors_[*longest].load()))
            longest = number;
    }
    return longest;
}

// Of equally short ones the next in rotation, so that they take turns.
std::uint32_t LinuxReplay::shortest_queue() const {
    auto shortest = rotation_ % processor_count();
    for (std::uint32_t step = 1; step < processor_count(); ++step) {
        auto const number = (rotation_ + step) % processor_count();
        if (processors_[number].load() < processors_[shortest].load())
            shortest = number;
    }
    return shortest;
}

bool LinuxReplay::balance_once(std::size_t least_difference, std::int64_t now) {
    auto const longest = longest_queue();
    auto const shortest = shortest_queue();
    if (!longest || processors_[*longest].load() < processors_[shortest].load() + least_difference)
        return false;
    auto const thread = processors_[*longest].fair.first_allowed(
        [&](ThreadId waiting) { return allows(task(waiting).affinity, shortest); });
    if (!thread)
        return false;
    rotation_ = shortest + 1;
    move(*thread, *longest, shortest, now);
    settle(shortest, *thread, Duration{0}, now);
    return true;
}

}  // namespace parcast::simulate
