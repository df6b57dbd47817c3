#include "extract/passes/locks.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "program/tried_lock.h"

namespace parcast::extract {

namespace {

// REQUIRES: acquires_lock(kind).
OperationKind acquisition(EventKind kind) {
    switch (kind) {
        case EventKind::read_lock:
        case EventKind::try_read_lock:
        case EventKind::timed_read_lock: return OperationKind::read_lock;
        case EventKind::write_lock:
        case EventKind::try_write_lock:
        case EventKind::timed_write_lock: return OperationKind::write_lock;
        default: return OperationKind::lock;
    }
}

bool is_try(EventKind kind) {
    return kind == EventKind::try_lock || kind == EventKind::try_read_lock ||
           kind == EventKind::try_write_lock;
}

// `noted`: by the kernel.
Step lock_step(Timeline const& recorded, EventReference reference, LockChange change, bool noted) {
    Event const& event = recorded.events[reference.thread.index()][reference.index];
    if (event.outcome == Outcome::timed_out || event.outcome == Outcome::cut_off)
        return interrupted_step(recorded, reference);
    switch (change) {
        case LockChange::acquired:
            return operation(acquisition(event.kind), event.object.value,
                             noted                ? event.value
                             : is_try(event.kind) ? by_a_try
                                                  : 0);
        case LockChange::released:
            return operation(
                event.kind == EventKind::unlock ? OperationKind::unlock : OperationKind::read_write_unlock,
                event.object.value);
        default: return {};
    }
}

}  // namespace

HeldLocks::Held const* HeldLocks::find(std::uint32_t object) const {
    auto const found =
        std::find_if(held_.begin(), held_.end(), [&](Held const& held) { return held.object == object; });
    return found == held_.end() ? nullptr : &*found;
}

SiteId HeldLocks::site_of(std::uint32_t object) const {
    Held const* const held = find(object);
    return held ? held->site : SiteId::none();
}

std::uint32_t HeldLocks::rank_of(std::uint32_t object) const {
    Held const* const held = find(object);
    return held ? static_cast<std::uint32_t>(held - held_.data()) + 1 : 0;
}

LockChange HeldLocks::observe(Event const& event) {
    if (event.outcome != Outcome::done || event.object.is_none())
        return LockChange::none;
    if (acquires_lock(event.kind))
        return acquire(event);
    return releases_lock(event.kind) ? release(event.object.value) : LockChange::none;
}

LockChange HeldLocks::acquire(Event const& event) {
    auto const held = std::find_if(held_.begin(), held_.end(),
                                   [&](Held const& each) { return each.object == event.object.value; });
    if (held != held_.end()) {
        ++held->depth;
        return LockChange::nested;
    }
    held_.push_back({event.object.value, 1, event.site});
    return LockChange::acquired;
}

LockChange HeldLocks::release(std::uint32_t object) {
    auto const held =
        std::find_if(held_.begin(), held_.end(), [&](Held const& each) { return each.object == object; });
    if (held == held_.end())
        return LockChange::not_held;
    if (--held->depth > 0)
        return LockChange::unnested;
    held_.erase(held);
    return LockChange::released;
}

namespace {

bool is_held_by_another(std::vector<HeldLocks> const& held, ThreadId thread, std::uint32_t object) {
    for (std::size_t other = 0; other < held.size(); ++other)
        if (other != thread.index() && held[other].holds(object))
            return true;
    return false;
}

// Objects that a thread unlocked while another one held them (rule 4). Only unlocks that found no lock of
// their own thread can be such, so the events are put into their order only if there are any.
std::set<std::uint32_t> binary_semaphores(Timeline const& recorded, std::set<std::uint32_t> const& suspects) {
    std::set<std::uint32_t> found;
    if (suspects.empty())
        return found;
    std::vector<std::pair<std::int64_t, EventReference>> order;
    for_each_event(recorded, [&](EventReference reference, Event const& event) {
        if (!event.object.is_none() && suspects.contains(event.object.value)) {
            // A lock is taken when the call returns.
            order.emplace_back(releases_lock(event.kind) ? event.wall_ns : return_ns(event), reference);
        }
    });
    std::sort(order.begin(), order.end());
    std::vector<HeldLocks> held(recorded.events.size());
    for (auto const& [when, reference] : order) {
        Event const& event = recorded.events[reference.thread.index()][reference.index];
        bool const is_foreign = held[reference.thread.index()].observe(event) == LockChange::not_held &&
                                event.kind == EventKind::unlock &&
                                is_held_by_another(held, reference.thread, event.object.value);
        if (is_foreign)
            found.insert(event.object.value);
    }
    return found;
}

Step semaphore_step(Timeline const& recorded, EventReference reference) {
    Event const& event = recorded.events[reference.thread.index()][reference.index];
    switch (event.outcome) {
        case Outcome::failed: return {};
        case Outcome::timed_out:
        case Outcome::cut_off: return interrupted_step(recorded, reference);
        case Outcome::done: break;
    }
    return releases_lock(event.kind) ? operation(OperationKind::semaphore_post, event.object.value, 1)
                                     : operation(OperationKind::semaphore_wait, event.object.value);
}

bool is_lock_call(Event const& event) {
    return !event.object.is_none() && (acquires_lock(event.kind) || releases_lock(event.kind));
}

// Of a binary semaphore, so far.
struct UnitNumbers {
    std::uint32_t posted = 1;
    std::uint32_t taken = 0;
};

// The units are taken in the order in which they were posted. A unit that was taken before it was posted has
// no number.
void number_units(EventReference reference, std::map<std::uint32_t, UnitNumbers>& units, Plan& plan) {
    Step step = plan.step(reference);
    if (step.form != Step::Form::operation)
        return;
    auto& [posted, taken] = units[step.object];
    if (step.kind == OperationKind::semaphore_post)
        step.value = encode(TokenGrant{1, posted++});
    else if (step.kind == OperationKind::semaphore_wait && taken < posted)
        step.value = encode_number(taken++);
    plan.at(reference) = step;
}

// Replaces the steps of these objects.
void plan_as_semaphores(std::set<std::uint32_t> const& objects, Timeline const& recorded, Plan& plan) {
    if (objects.empty())
        return;
    for (std::uint32_t const object : objects)
        plan.objects[object].initial_count = 1;
    std::vector<std::pair<std::int64_t, EventReference>> order;
    for_each_event(recorded, [&](EventReference reference, Event const& event) {
        if (!is_lock_call(event) || !objects.contains(event.object.value))
            return;
        plan.at(reference) = semaphore_step(recorded, reference);
        order.emplace_back(releases_lock(event.kind) ? event.wall_ns : return_ns(event), reference);
    });
    std::sort(order.begin(), order.end());
    std::map<std::uint32_t, UnitNumbers> units;
    for (auto const& [when, reference] : order)
        number_units(reference, units, plan);
}

}  // namespace

void plan_locks(Timeline const& recorded, Plan& plan) {
    std::vector<HeldLocks> held(recorded.events.size());
    std::vector<EventReference> unheld;
    std::set<std::uint32_t> suspects;
    for_each_event(recorded, [&](EventReference reference, Event const& event) {
        if (!is_lock_call(event))
            return;
        LockChange const change = held[reference.thread.index()].observe(event);
        bool const noted = plan.objects[event.object.index()].kernel_lock != KernelLock::none;
        plan.at(reference) = lock_step(recorded, reference, change, noted);
        if (change == LockChange::not_held) {
            unheld.push_back(reference);
            suspects.insert(event.object.value);
        }
    });
    std::set<std::uint32_t> const semaphores = binary_semaphores(recorded, suspects);
    plan_as_semaphores(semaphores, recorded, plan);
    for (EventReference const reference : unheld) {
        Event const& event = recorded.events[reference.thread.index()][reference.index];
        plan.doubts.foreign_unlocks += semaphores.contains(event.object.value) ? 0 : 1;
    }
}

}  // namespace parcast::extract
