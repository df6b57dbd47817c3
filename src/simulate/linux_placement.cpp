// On which processor a thread waits: placement on wake-up.

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
    average_load(woken, 0, now);
    auto const number = choose_processor(woken, releaser, now);
    bring_clock_up_to(number, now);
    if (woken.processor)
        bring_clock_up_to(*woken.processor, now);
    bool const is_new = !woken.processor;
    bool const finds_idle = processors_[number].phase == Phase::idle;
    woken.queued_to_wake = !finds_idle && !is_new && !moves;
    if (is_new)
        woken.average.restart(now, releaser ? LoadAverage::one_thread : 0);
    if (woken.processor != number)
        carry_load(woken, woken.processor, number, now);
    place_virtual_time(woken, number, is_new && releaser);
    if (is_new && releaser)
        idle_search_.thread_begins();
    enqueue(number, thread);
    settle(number, thread, finds_idle && releaser ? latency(*releaser) : Duration{0}, now);
    arm_balancing(now);
}

// Until a thread runs on the idle processor that it was placed on. Who releases several wakes one after the
// other, and pays for each.
Duration LinuxReplay::latency(std::uint32_t releaser) {
    auto& owed_ns = processors_[releaser].owed_overhead_ns;
    auto const latency = costs_.wake_up + Duration{std::max<std::int64_t>(0, owed_ns + recorded_waking_ns_)};
    owed_ns += costs_.wake_waiter.ns;
    recorded_waking_ns_ += replay_.waking_ns();
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
            asks_again_if_served(processor, now);
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
    return is_fairly_more_urgent(woken, processor);
}

std::uint32_t LinuxReplay::choose_processor(Task& task, std::optional<std::uint32_t> releaser,
                                            std::int64_t now) {
    auto const previous =
        task.processor && task.affinity.contain(*task.processor) ? task.processor : std::nullopt;
    if (previous && !task.is_real_time()) {
        if (auto const idle = idle_near(task, *previous, now))
            return *idle;
        return choose_queue(task, *previous, releaser, now);
    }
    if (previous && processors_[*previous].phase == Phase::idle)
        return *previous;
    if (auto const idle = idle_.first_allowed(task.affinity))
        return *idle;
    return task.is_real_time() ? choose_for_real_time(task) : least_loaded(task);
}

// The processor on which it was, the one before, or another one within the limit of the search.
std::optional<std::uint32_t> LinuxReplay::idle_near(Task& task, std::uint32_t previous, std::int64_t now) {
    if (idle_.contains(previous))
        return previous;
    auto const before = std::exchange(task.before, previous);
    if (before && idle_.contains(*before) && task.affinity.contain(*before))
        return before;
    auto const next = (previous + 1) % processor_count();
    auto const found = idle_.next_allowed(task.affinity, next);
    if (!found)
        return std::nullopt;
    auto const searched = (*found + processor_count() - next) % processor_count() + 1;
    return searched <= idle_search_.limit(now) ? found : std::nullopt;
}

// On its own processor or on that of its releaser, whichever had less to do lately. Linux's own is dearer by
// half of the 17 % at which it calls processors unequal (wake_affine).
std::uint32_t LinuxReplay::choose_queue(Task const& task, std::uint32_t previous,
                                        std::optional<std::uint32_t> releaser, std::int64_t now) {
    if (!loads_matter_ || !releaser || *releaser == previous || !task.affinity.contain(*releaser))
        return previous;
    average_load(processors_[*releaser], now);
    average_load(processors_[previous], now);
    auto const own = task.average.value();
    auto const there = 100 * (processors_[*releaser].average.value() + own);
    auto const here = 108 * (processors_[previous].average.value() - own);
    return there < here ? *releaser : previous;
}

void LinuxReplay::average_load(Processor& processor, std::int64_t now) {
    if (loads_matter_)
        processor.average.advance(now, static_cast<std::int64_t>(processor.load()), half_life_ns_);
}

void LinuxReplay::average_load(Task& task, std::int64_t runnable, std::int64_t now) {
    if (loads_matter_)
        task.average.advance(now, runnable, half_life_ns_);
}

// A thread's part of the average goes where it goes.
void LinuxReplay::carry_load(Task const& task, std::optional<std::uint32_t> from, std::uint32_t to,
                             std::int64_t now) {
    if (!loads_matter_)
        return;
    if (from) {
        average_load(processors_[*from], now);
        processors_[*from].average.add(-task.average.value());
    }
    average_load(processors_[to], now);
    processors_[to].average.add(task.average.value());
}

// It waits without a processor, or has ended.
void LinuxReplay::goes_to_sleep(ThreadId thread, std::uint32_t number, std::int64_t now) {
    average_load(task(thread), 1, now);
    leaves_fair_clock(task(thread), processors_[number]);
    bool const ended = !replay_.ledger().is_live(thread);
    if (ended)
        processors_[number].average.add(-task(thread).average.value());
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
        woken.processor && woken.affinity.contain(*woken.processor) ? *woken.processor : least_loaded(woken);
    for (std::uint32_t number = 0; number < processor_count(); ++number)
        if (woken.affinity.contain(number) && urgency(processors_[number]) < urgency(processors_[best]))
            best = number;
    return best;
}

std::uint32_t LinuxReplay::least_loaded(Task const& task) const {
    std::optional<std::uint32_t> best;
    for (std::uint32_t number = 0; number < processor_count(); ++number) {
        if (!task.affinity.contain(number))
            continue;
        if (!best || processors_[number].load() < processors_[*best].load())
            best = number;
    }
    ensure(best.has_value(), "an affinity that allows some processor");
    return *best;
}

// A thread that runs alone is charged only when somebody looks; who comes is placed relative to it.
void LinuxReplay::bring_clock_up_to(std::uint32_t number, std::int64_t now) {
    auto& processor = processors_[number];
    average_load(processor, now);
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
        push_fair(processors_[number], thread);
    }
}

std::optional<ThreadId> LinuxReplay::pick(std::uint32_t number) {
    auto& processor = processors_[number];
    if (processor.waiting() == 0)
        return std::nullopt;
    --waiting_;
    if (processor.real_time.empty()) {
        auto const next = *next_fair(processor);
        forget_fair(processor, task(next));
        if (eevdf_)
            processor.fair.remove(next);
        else
            processor.fair.pop();
        return next;
    }
    --waiting_real_time_;
    return processor.real_time.pop();
}

}  // namespace parcast::simulate
