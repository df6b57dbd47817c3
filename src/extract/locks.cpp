#include "extract/locks.h"

#include <algorithm>
#include <optional>

namespace parcast::extract {

namespace {

std::optional<OperationKind> acquisition(EventKind kind) {
    switch (kind) {
        case EventKind::lock:
        case EventKind::try_lock:
        case EventKind::timed_lock: return OperationKind::lock;
        case EventKind::read_lock:
        case EventKind::try_read_lock:
        case EventKind::timed_read_lock: return OperationKind::read_lock;
        case EventKind::write_lock:
        case EventKind::try_write_lock:
        case EventKind::timed_write_lock: return OperationKind::write_lock;
        default: return std::nullopt;
    }
}

bool is_release(EventKind kind) {
    return kind == EventKind::unlock || kind == EventKind::read_write_unlock;
}

Step lock_step(Timeline const& recorded, EventReference reference, LockChange change) {
    Event const& event = recorded.events[reference.thread.index()][reference.index];
    if (event.outcome == Outcome::timed_out || event.outcome == Outcome::cut_off) {
        return interrupted_step(recorded, reference);
    }
    switch (change) {
        case LockChange::acquired: return operation(*acquisition(event.kind), event.object.value);
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
    if (event.outcome != Outcome::done || event.object.is_none()) {
        return LockChange::none;
    }
    if (acquisition(event.kind)) {
        return acquire(event);
    }
    return is_release(event.kind) ? release(event.object.value) : LockChange::none;
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
    if (held == held_.end()) {
        return LockChange::not_held;
    }
    if (--held->depth > 0) {
        return LockChange::unnested;
    }
    held_.erase(held);
    return LockChange::released;
}

void plan_locks(Timeline const& recorded, Plan& plan) {
    std::vector<HeldLocks> held(recorded.events.size());
    for_each_event(recorded, [&](EventReference reference, Event const& event) {
        if (event.object.is_none() || (!acquisition(event.kind) && !is_release(event.kind))) {
            return;
        }
        LockChange const change = held[reference.thread.index()].observe(event);
        plan.doubts.foreign_unlocks += change == LockChange::not_held ? 1 : 0;
        plan.at(reference) = lock_step(recorded, reference, change);
    });
}

}  // namespace parcast::extract
