// On which processor a thread waits: placement on wake-up.

#include <algorithm>

#include "machine/idling.h"
#include "simulate/linux_replay.h"

namespace parcast::simulate {

namespace {

constexpr std::int64_t unequal_percent = 117;  // from which on loads differ (imbalance_pct)
constexpr Loads has_run_for_long{LoadAverage::one_thread, LoadAverage::one_thread, LoadAverage::one_thread};

// Of a processor, by what it did lately (group_classify of a group of one processor). Full is 100/117 of it.
enum class Crowd : std::uint8_t { has_spare, fully_busy, overloaded };

Crowd crowd_of(std::size_t threads, Loads const& loads) {
    bool const is_full = loads.used * unequal_percent > LoadAverage::one_thread * 100;
    bool const has_queued = loads.runnable * 100 > LoadAverage::one_thread * unequal_percent;
    if (threads == 0 || (!is_full && !has_queued))
        return Crowd::has_spare;
    return threads > 1 ? Crowd::overloaded : Crowd::fully_busy;
}

struct Candidate {
    std::uint32_t number;
    Crowd crowd;
    bool idle;
    Loads loads;
};

// Of two processors for a new thread (update_pick_idlest).
bool is_idler(Candidate const& one, Candidate const& other) {
    if (one.crowd != other.crowd)
        return one.crowd < other.crowd;
    if (one.crowd != Crowd::has_spare)
        return one.loads.load < other.loads.load;
    if (one.idle != other.idle)
        return one.idle;
    return one.loads.used < other.loads.used;
}

// A new thread stays with its creator unless another processor is clearly idler (find_idlest_group).
bool stays_with_creator(Candidate const& own, Candidate const& idlest) {
    if (own.crowd != idlest.crowd)
        return own.crowd < idlest.crowd;
    if (own.crowd == Crowd::has_spare)
        return !idlest.idle;
    auto const allowance = LoadAverage::one_thread * (unequal_percent - 100) / 100;
    return idlest.loads.load >= own.loads.load + allowance ||
           100 * own.loads.load <= unequal_percent * idlest.loads.load;
}

}  // namespace

void LinuxReplay::make_ready(ThreadId thread, std::optional<std::uint32_t> releaser, std::int64_t now) {
    auto& woken = task(thread);
    if (woken.spins)
        return stop_spinning(thread, now);
    // A thread that moves because of its affinity has a part of its work behind it already.
    bool const moves = releaser && processors_[*releaser].current == thread;
    if (!moves)
        woken.remaining_ns = replay_.work_ns(thread);
    average_load(woken, 0, 0, now);
    auto const number = choose_processor(woken, releaser, now);
    bring_clock_up_to(number, now);
    if (woken.processor)
        bring_clock_up_to(*woken.processor, now);
    bool const is_new = !woken.processor;
    if (is_new && releaser && has_periods_)
        bring_clock_up_to(*releaser, now);  // update_curr in task_fork_fair
    bool const finds_idle = processors_[number].phase == Phase::idle;
    woken.queued_to_wake = !finds_idle && !is_new && !moves;
    if (is_new)
        woken.average.restart(now, releaser ? expected_loads(number) : has_run_for_long);
    if (woken.processor != number)
        carry_load(woken, woken.processor, number, now);
    place_virtual_time(woken, number, is_new ? releaser : std::nullopt);
    if (is_new && releaser)
        idle_search_.thread_begins();
    enqueue(number, thread);
    // Who tries for a lock goes on trying, and does not sleep.
    bool const is_woken = finds_idle && releaser && !replay_.tries_on(thread);
    auto const wakes_after =
        is_woken ? latency(*releaser, now - processors_[number].idle_since_ns) : Duration{0};
    // On one CPU hardly anybody waits at such a lock: the recording holds no wake-up that could be saved.
    if (auto const object = replay_.waits_for(thread);
        is_woken && !object.is_none() && replay_.kind_of(object) == ObjectKind::reader_writer_lock)
        processors_[*releaser].owed_overhead_ns -= std::min<std::int64_t>(0, costs_.wake_waiter.ns);
    settle(number, thread, wakes_after, now);
    arm_balancing(now);
}

// Until a thread runs on the idle processor that it was placed on. Who releases several wakes one after the
// other, and pays for each.
Duration LinuxReplay::latency(std::uint32_t releaser, std::int64_t idle_ns) {
    auto& owed_ns = processors_[releaser].owed_overhead_ns;
    auto const wake_up_ns = after_idling(costs_, idle_ns, costs_.wake_up_soon, costs_.wake_up);
    auto const latency = Duration{wake_up_ns + std::max<std::int64_t>(0, owed_ns + recorded_waking_ns_)};
    owed_ns += after_idling(costs_, idle_ns, costs_.wake_waiter_soon, costs_.wake_waiter);
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
        if (idle_.contains(*previous))
            return *previous;
        auto const target = choose_queue(task, *previous, releaser, now);
        return idle_near(task, *previous, target, now).value_or(target);
    }
    if (previous && processors_[*previous].phase == Phase::idle)
        return *previous;
    bool const is_new = !task.processor;
    if (is_new && !task.is_real_time() && releaser && loads_matter_)
        return choose_for_new(task, *releaser, now);
    if (auto const idle = idle_.first_allowed(task.affinity))
        return *idle;
    return task.is_real_time() ? choose_for_real_time(task) : least_loaded(task);
}

// The processor on which it was before the last one, or another one within the limit of the search, which
// begins beside the one where it would queue (select_idle_sibling).
std::optional<std::uint32_t> LinuxReplay::idle_near(Task& task, std::uint32_t previous, std::uint32_t target,
                                                    std::int64_t now) {
    auto const before = std::exchange(task.before, previous);
    if (before && idle_.contains(*before) && task.affinity.contain(*before))
        return before;
    auto const next = (target + 1) % processor_count();
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
    auto const own = task.average.loads().load;
    auto const there = 100 * (processors_[*releaser].average.loads().load + own);
    auto const here = 108 * (processors_[previous].average.loads().load - own);
    return there < here ? *releaser : previous;
}

void LinuxReplay::average_load(Processor& processor, std::int64_t now) {
    if (loads_matter_)
        processor.average.advance(now, static_cast<std::int64_t>(processor.load()),
                                  processor.current.is_none() ? 0 : 1, half_life_ns_);
}

void LinuxReplay::average_load(Task& task, std::int64_t runnable, std::int64_t running, std::int64_t now) {
    if (loads_matter_)
        task.average.advance(now, runnable, running, half_life_ns_);
}

// Of a new thread: it will use what the processor's others do, at most half of what is left
// (post_init_entity_util_avg).
Loads LinuxReplay::expected_loads(std::uint32_t number) const {
    auto const& loads = processors_[number].average.loads();
    auto used = std::max<std::int64_t>(0, LoadAverage::one_thread - loads.used) / 2;
    if (loads.used > 0)
        used = std::min(used,
                        loads.used * LoadAverage::one_thread / (loads.load + LoadAverage::one_thread / 1024));
    return {.load = LoadAverage::one_thread, .runnable = used, .used = used};
}

// An idle processor, the least used one, from the creator's on; if none is idle, one that is not full; else
// the one with the least load (find_idlest_cpu of Linux 6.1, one domain of equal processors).
std::uint32_t LinuxReplay::choose_for_new(Task const& task, std::uint32_t creator, std::int64_t now) {
    auto const candidate = [&](std::uint32_t number) {
        auto& processor = processors_[number];
        average_load(processor, now);
        auto const& loads = processor.average.loads();
        return Candidate{number, crowd_of(processor.load(), loads), processor.phase == Phase::idle, loads};
    };
    std::optional<Candidate> idlest;
    for (std::uint32_t step = 1; step < processor_count(); ++step) {
        auto const number = (creator + step) % processor_count();
        if (!task.affinity.contain(number))
            continue;
        auto const other = candidate(number);
        if (!idlest || is_idler(other, *idlest))
            idlest = other;
    }
    if (!idlest)
        return creator;
    bool const stays = task.affinity.contain(creator) && stays_with_creator(candidate(creator), *idlest);
    return stays ? creator : idlest->number;
}

// A thread's part of the average goes where it goes.
void LinuxReplay::carry_load(Task const& task, std::optional<std::uint32_t> from, std::uint32_t to,
                             std::int64_t now) {
    if (!loads_matter_)
        return;
    if (from) {
        average_load(processors_[*from], now);
        processors_[*from].average.subtract(task.average.loads());
    }
    average_load(processors_[to], now);
    processors_[to].average.add(task.average.loads());
}

// It waits without a processor, or has ended.
void LinuxReplay::goes_to_sleep(ThreadId thread, std::uint32_t number, std::int64_t now) {
    average_load(task(thread), 1, 1, now);
    leaves_fair_clock(task(thread), processors_[number]);
    bool const ended = !replay_.ledger().is_live(thread);
    if (ended)
        processors_[number].average.subtract(task(thread).average.loads());
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
    if (waiting.processor != number)
        waiting.ran_until.reset();  // where it comes to, its data are not (exec_start in enqueue_entity)
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
