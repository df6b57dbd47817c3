// LWPs in the kernel: which processor they are on, and for how long.

#include <utility>

#include "simulate/two_level_replay.h"

namespace parcast::simulate {

void TwoLevelReplay::wakes(LwpId lwp, std::optional<std::uint32_t> releaser, std::int64_t now) {
    auto& woken = state(lwp);
    if (woken.has_run)
        woken.ts_level = ts_level_after_sleep(woken.ts_level);
    woken.waits_since = now;
    place(lwp, releaser.has_value(), now);
}

void TwoLevelReplay::place(LwpId lwp, bool is_woken, std::int64_t now) {
    auto const& placed = state(lwp);
    if (auto const idle = idle_processor_for(placed))
        return dispatch(*idle, lwp, is_woken ? costs_.wake_up.ns : 0, now);
    auto const number = queue_for(placed, now);
    if (level_of(lwp) > level_on(number))
        return replace(number, lwp, Behind::nobody, now);
    enqueue(number, lwp, Behind::all, now);
}

std::optional<std::uint32_t> TwoLevelReplay::idle_processor_for(Lwp const& lwp) const {
    if (lwp.last && lwp.allowed.contain(*lwp.last) && idle_.contains(*lwp.last))
        return lwp.last;
    return idle_.first_allowed(lwp.allowed);
}

// Where it ran last; if that was long ago, where the lowest level runs, of those the shortest queue.
std::uint32_t TwoLevelReplay::queue_for(Lwp const& lwp, std::int64_t now) const {
    if (lwp.last && lwp.allowed.contain(*lwp.last) && now - lwp.ran_until < scheduler_.rechoose_interval.ns)
        return *lwp.last;
    std::optional<std::uint32_t> found;
    std::pair<int, std::size_t> least;
    for (std::uint32_t number = 0; number < processors_.size(); ++number) {
        if (!lwp.allowed.contain(number))
            continue;
        std::pair const load(level_on(number), queues_[number].size());
        if (!found || load < least) {
            found = number;
            least = load;
        }
    }
    return found.value_or(0);
}

void TwoLevelReplay::enqueue(std::uint32_t number, LwpId lwp, Behind behind, std::int64_t now) {
    auto& waiting = state(lwp);
    waiting.queue = number;
    waiting.is_queued = true;
    waiting.queued_since = now;
    if (behind == Behind::nobody)
        queues_[number].push_front(level_of(lwp), lwp, --first_order_);
    else
        queues_[number].push_back(level_of(lwp), lwp, last_order_++);
    ++queued_;
    arm_boost(now);
}

LwpId TwoLevelReplay::take(Next const& next) {
    --queued_;
    auto const lwp = queues_[next.queue].take(next.position);
    state(lwp).is_queued = false;
    return lwp;
}

// The first of the processor's own queue, or one of a higher level that has waited elsewhere for the
// rechoose interval. If the processor would be idle otherwise, any.
std::optional<TwoLevelReplay::Next> TwoLevelReplay::next_for(std::uint32_t number, Own own,
                                                             std::int64_t now) const {
    if (queued_ == 0)
        return std::nullopt;
    std::optional<Next> best;
    auto const consider = [&](std::uint32_t queue, auto const& is_wanted) {
        auto const first = queues_[queue].first(is_wanted);
        if (first && (!best || first->is_before(best->position)))
            best = Next{queue, *first};
    };
    consider(number, [](LwpId) { return true; });
    bool const would_idle = own == Own::leaves && !best;
    auto const may_move = [&](LwpId lwp) {
        auto const& waiting = state(lwp);
        bool const is_due = now - waiting.queued_since >= scheduler_.rechoose_interval.ns;
        return (would_idle || is_due) && waiting.allowed.contain(number);
    };
    for (std::uint32_t queue = 0; queue < queues_.size(); ++queue)
        if (queue != number && !queues_[queue].empty())
            consider(queue, may_move);
    return best;
}

void TwoLevelReplay::dispatch(std::uint32_t number, LwpId lwp, std::int64_t latency_ns, std::int64_t now) {
    auto& processor = processors_[number];
    auto& chosen = state(lwp);
    if (idle_.contains(number))
        idle_.erase(number);
    if (chosen.last && chosen.last != number)
        replay_.ledger().counts_migration();
    chosen.last = number;
    processor.lwp = lwp;
    processor.taken = now;
    auto const quantum_ns = std::exchange(chosen.quantum_left_ns, 0);
    processor.quantum_end = scheduler_.time_slices != 0
                                ? now + latency_ns + (quantum_ns > 0 ? quantum_ns : quantum_of(lwp))
                                : never;
    if (latency_ns == 0)
        return begin(number, now);
    processor.phase = Phase::waking;
    processor.since = now + latency_ns;
    events_.set(number, {processor.since, number});
}

// The LWP's thread runs, or pays first.
void TwoLevelReplay::begin(std::uint32_t number, std::int64_t now) {
    auto& processor = processors_[number];
    auto const thread = thread_on(number);
    if (std::exchange(processor.last, thread) != thread) {
        replay_.ledger().counts_switch();
        // The program is running when its recording begins: no switch to its first threads.
        if (has_begun_)
            state(thread).owed_ns += costs_.context_switch.ns;
    }
    go_on(number, now);
}

void TwoLevelReplay::go_on(std::uint32_t number, std::int64_t now) {
    auto& processor = processors_[number];
    auto const thread = thread_on(number);
    processor.since = now;
    processor.phase = state(thread).owed_ns > 0 ? Phase::switching : Phase::running;
    if (processor.phase == Phase::switching)
        replay_.ledger().switches(thread, now, CpuId(number));
    else
        replay_.ledger().runs(thread, now, CpuId(number));
    await(number);
}

// Stops the thread where it is. The LWP keeps it, and the rest of its quantum.
void TwoLevelReplay::interrupt(std::uint32_t number, std::int64_t now) {
    auto& processor = processors_[number];
    auto& lwp = state(processor.lwp);
    auto& task = state(lwp.thread);
    if (processor.phase == Phase::running)
        task.left_ns -= now - processor.since;
    if (processor.phase == Phase::switching)
        task.owed_ns -= now - processor.since;
    replay_.ledger().is_ready(lwp.thread, now);
    detach(number, now);
}

// The LWP leaves the processor, which is not idle yet.
LwpId TwoLevelReplay::detach(std::uint32_t number, std::int64_t now) {
    auto& processor = processors_[number];
    auto& lwp = state(processor.lwp);
    lwp.ran_until = now;
    lwp.has_run |= now > processor.taken;
    lwp.quantum_left_ns =
        processor.quantum_end == never ? 0 : std::max<std::int64_t>(0, processor.quantum_end - now);
    processor.phase = Phase::idle;
    events_.clear(number);
    return std::exchange(processor.lwp, LwpId::none());
}

// The processor takes this LWP instead of its own, which goes where nobody is, or waits here.
void TwoLevelReplay::replace(std::uint32_t number, LwpId by, Behind behind, std::int64_t now) {
    auto const lwp = processors_[number].lwp;
    interrupt(number, now);
    dispatch(number, by, 0, now);
    step_aside(number, lwp, behind, now);
}

void TwoLevelReplay::step_aside(std::uint32_t number, LwpId lwp, Behind behind, std::int64_t now) {
    state(lwp).waits_since = now;
    if (auto const idle = idle_processor_for(state(lwp)))
        return dispatch(*idle, lwp, 0, now);
    if (state(lwp).allowed.contain(number))
        return enqueue(number, lwp, behind, now);
    place(lwp, false, now);
}

// REQUIRES: the processor has no LWP.
void TwoLevelReplay::choose(std::uint32_t number, std::int64_t now) {
    if (auto const next = next_for(number, Own::leaves, now))
        return dispatch(number, take(*next), 0, now);
    idle_.insert(number);
}

// The LWP, which has no processor, goes on here, if it may and no higher level waits.
// REQUIRES: the processor has no LWP.
void TwoLevelReplay::resume(std::uint32_t number, LwpId lwp, std::int64_t now) {
    bool const may_stay = state(lwp).allowed.contain(number);
    auto const next = next_for(number, may_stay ? Own::goes_on : Own::leaves, now);
    if (may_stay && (!next || next->position.level <= level_of(lwp)))
        return dispatch(number, lwp, 0, now);
    if (next)
        dispatch(number, take(*next), 0, now);
    else
        idle_.insert(number);
    step_aside(number, lwp, Behind::nobody, now);
}

void TwoLevelReplay::arm_boost(std::int64_t now) {
    if (is_boost_armed_ || scheduler_.boost_interval.ns == 0 || scheduler_.time_slices == 0)
        return;
    is_boost_armed_ = true;
    replay_.timers().push(
        {now + scheduler_.boost_interval.ns, static_cast<std::uint64_t>(TimerKind::balance) << 32});
}

// LWPs that wait are raised, and go behind those of their new level.
void TwoLevelReplay::boost(std::int64_t now) {
    is_boost_armed_ = false;
    for (std::size_t index = 0; index < lwps_.size(); ++index) {
        LwpId const lwp(index);
        auto& waiting = state(lwp);
        bool const is_due = waiting.is_queued && waiting.real_time_level == 0 &&
                            now - waiting.waits_since > ts_longest_wait_ns(waiting.ts_level);
        if (!is_due)
            continue;
        auto& queue = queues_[waiting.queue];
        queue.take(*queue.first([&](LwpId one) { return one == lwp; }));
        waiting.ts_level = ts_level_after_waiting(waiting.ts_level);
        waiting.waits_since = now;
        queue.push_back(level_of(lwp), lwp, last_order_++);
    }
    for (std::uint32_t number = 0; number < processors_.size(); ++number) {
        auto const first = queues_[number].first([](LwpId) { return true; });
        if (first && first->level > level_on(number))
            replace(number, take({number, *first}), Behind::nobody, now);
    }
    if (queued_ > 0)
        arm_boost(now);
}

void TwoLevelReplay::quantum_is_over(std::uint32_t number, std::int64_t now) {
    auto& processor = processors_[number];
    auto const lwp = processor.lwp;
    processor.quantum_end = now;
    if (state(lwp).real_time_level == 0)
        state(lwp).ts_level = ts_level_after_quantum(state(lwp).ts_level);
    if (lets_lwps_run(number, now))
        return;
    processor.quantum_end = now + quantum_of(lwp);
    await(number);
}

// The LWP goes behind those of its level, if any wait, or of a higher one.
bool TwoLevelReplay::lets_lwps_run(std::uint32_t number, std::int64_t now) {
    auto const next = next_for(number, Own::goes_on, now);
    if (!next || next->position.level < level_of(processors_[number].lwp))
        return false;
    replace(number, take(*next), Behind::all, now);
    return true;
}

}  // namespace parcast::simulate
