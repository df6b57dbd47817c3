// Threads that wait move on: to a processor that becomes idle, and to those that look at the others now and
// then. After Linux 6.1 to 6.18, one domain of equal processors:
//
// 1. A processor that becomes idle looks at once, if the dice say so (pull_odds.h).
// 2. An idle one looks every P to 2 P quarters of a tick, a busy one sixteen times as seldom.
// 3. A thread that ran a moment ago is left where its caches are (is_hot), until looking has failed twice.
// 4. Half of what the longest queue has more moves. Half a thread does when looking has failed once.

#include "core/split_mix.h"
#include "simulate/linux_replay.h"

namespace parcast::simulate {

namespace {

constexpr std::uint64_t times_as_seldom = 16;
constexpr std::uint32_t most_failures = 16;

}  // namespace

// As if they had begun one after the other.
void LinuxReplay::space_out_balancing() {
    for (std::uint32_t number = 0; number < processor_count(); ++number) {
        processors_[number].balancing.gap = least_gap();
        processors_[number].balancing.looked = number % (least_gap() * times_as_seldom);
    }
    ticks_ = least_gap() * times_as_seldom;
}

// Another run begins at another moment of the ticks and of the processors' looks at each other, and throws
// other dice. REQUIRES: seed != 0.
void LinuxReplay::begins_at_another_moment(std::uint64_t seed) {
    dice_ = Dice(seed);
    auto const drawn = split_mix(seed);
    auto const tick = static_cast<std::uint64_t>(scheduler_.balance_interval.ns);
    tick_phase_ns_ = static_cast<std::int64_t>(drawn % tick);
    auto const whole = least_gap() * times_as_seldom;
    for (std::uint32_t number = 0; number < processor_count(); ++number)
        processors_[number].balancing.looked = (number + drawn / tick) % whole;
}

void LinuxReplay::move(ThreadId thread, std::uint32_t from, std::uint32_t to, std::int64_t now) {
    auto& moved = task(thread);
    bring_clock_up_to(from, now);
    bring_clock_up_to(to, now);
    average_load(moved, 1, 0, now);
    carry_load(moved, from, to, now);
    --waiting_;
    if (moved.is_real_time()) {
        processors_[from].real_time.remove(thread);
        --waiting_real_time_;
    } else {
        carry_virtual_time(moved, from, to);
        processors_[from].fair.remove(thread);
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
            queue.first_allowed([&](ThreadId thread) { return task(thread).affinity.contain(number); });
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

void LinuxReplay::pull_fair(std::uint32_t number, std::int64_t now) {
    auto& odds = processors_[number].pull_odds;
    if (!odds.looks(dice_))
        return;
    auto const busiest = longest_queue_but(number);
    auto const thread = busiest ? movable(*busiest, number, now) : std::nullopt;
    odds.looked(thread.has_value());
    if (thread)
        move(*thread, *busiest, number, now);
}

void LinuxReplay::arm_balancing(std::int64_t now) {
    if (balancing_ || waiting_ == 0 || processor_count() == 1)
        return;
    balancing_ = true;
    replay_.timers().push(
        {now + scheduler_.balance_interval.ns, static_cast<std::uint64_t>(TimerKind::balance) << 32});
}

void LinuxReplay::balance(std::int64_t now) {
    balancing_ = false;
    ++ticks_;
    for (std::uint32_t number = 0; number < processor_count() && waiting_ > 0; ++number)
        if (is_due(processors_[number]))
            balance_towards(number, now);
    arm_balancing(now);
}

// Ticks between two looks of an idle processor that finds something to do.
std::uint64_t LinuxReplay::least_gap() const {
    return (processor_count() + 3) / 4;
}

bool LinuxReplay::is_due(Processor const& processor) const {
    // A tick less, as on Linux, so that it does not always look at the same moment of the others' slices.
    auto const gap = processor.balancing.gap;
    return ticks_ - processor.balancing.looked >=
           (processor.phase == Phase::idle ? gap : gap * times_as_seldom - 1);
}

void LinuxReplay::balance_towards(std::uint32_t number, std::int64_t now) {
    auto& balancing = processors_[number].balancing;
    balancing.looked = ticks_;
    auto const busiest = longest_queue_but(number);
    auto excess = busiest ? excess_of(*busiest, number) : 0;
    if (excess <= 0) {
        balancing.gap = 2 * least_gap();
        balancing.failures = 0;
        return;
    }
    balancing.gap = least_gap();
    bool any = false;
    for (; excess << balancing.failures >= 2 && has_spare(processors_[*busiest]); excess -= 2) {
        auto const thread = movable(*busiest, number, now);
        if (!thread)
            break;
        any = true;
        move(*thread, *busiest, number, now);
        settle(number, *thread, Duration{0}, now);
    }
    balancing.failures = any ? 0 : std::min(balancing.failures + 1, most_failures);
}

// Threads that one has more than the other; half of them would even them out.
std::int64_t LinuxReplay::excess_of(std::uint32_t busiest, std::uint32_t number) const {
    return static_cast<std::int64_t>(processors_[busiest].load()) -
           static_cast<std::int64_t>(processors_[number].load());
}

// The longest queue that can give a thread away; none if none can.
std::optional<std::uint32_t> LinuxReplay::longest_queue_but(std::uint32_t number) const {
    std::optional<std::uint32_t> longest;
    for (std::uint32_t step = 1; step < processor_count(); ++step) {
        auto const other = (number + step) % processor_count();
        bool const can_give = !processors_[other].fair.empty() && has_spare(processors_[other]);
        if (can_give && (!longest || processors_[other].load() > processors_[*longest].load()))
            longest = other;
    }
    return longest;
}

std::optional<ThreadId> LinuxReplay::movable(std::uint32_t from, std::uint32_t to, std::int64_t now) const {
    bool const is_patient = processors_[to].balancing.failures < 2;
    return processors_[from].fair.first_allowed([&](ThreadId waiting) {
        return task(waiting).affinity.contain(to) && !(is_patient && is_hot(task(waiting), now));
    });
}

bool LinuxReplay::is_hot(Task const& task, std::int64_t now) const {
    return task.ran_until && now - *task.ran_until < scheduler_.migration_cost.ns;
}

}  // namespace parcast::simulate
