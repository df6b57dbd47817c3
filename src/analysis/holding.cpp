#include "analysis/holding.h"

#include <algorithm>
#include <cstdint>

namespace parcast::analysis {

namespace {

enum class Effect : std::uint8_t { none, acquires, releases, lends };

Effect effect_of(Event const& event) {
    if (event.kind == EventKind::condition_wait || event.kind == EventKind::timed_condition_wait)
        return Effect::lends;
    if (event.outcome != Outcome::done)
        return Effect::none;
    if (acquires_lock(event.kind))
        return Effect::acquires;
    return releases_lock(event.kind) ? Effect::releases : Effect::none;
}

}  // namespace

// `arrival` and `departure` are the thread's CPU time at the event.
void HoldingTimes::add(Event const& event) {
    Duration const arrival = cpu_ + Duration{event.cpu_ns};
    Duration const departure = arrival + Duration{event.cpu_inside_ns};
    switch (effect_of(event)) {
        case Effect::acquires: acquire(event.object, departure); break;
        case Effect::releases: release(event.object, arrival); break;
        case Effect::lends: lend(ObjectId(event.related), arrival, departure); break;
        case Effect::none: break;
    }
    cpu_ = departure;
}

void HoldingTimes::end_thread() {
    held_.clear();
    cpu_ = {};
}

std::vector<HoldingTimes::Held>::iterator HoldingTimes::find(ObjectId object) {
    return std::find_if(held_.begin(), held_.end(), [&](Held const& each) { return each.object == object; });
}

void HoldingTimes::count(ObjectId object, Duration held) {
    Holding& holding = of_object_[object.index()];
    holding.total += held;
    holding.longest = std::max(holding.longest, held);
}

void HoldingTimes::acquire(ObjectId object, Duration now) {
    auto const held = find(object);
    if (held != held_.end())
        ++held->depth;
    else if (!object.is_none())
        held_.push_back({object, now, 1});
}

void HoldingTimes::release(ObjectId object, Duration now) {
    auto const held = find(object);
    if (held != held_.end() && --held->depth == 0) {
        count(object, now - held->since);
        held_.erase(held);
    }
}

void HoldingTimes::lend(ObjectId mutex, Duration arrival, Duration departure) {
    auto const held = find(mutex);
    if (held != held_.end()) {
        count(mutex, arrival - held->since);
        held->since = departure;
    }
}

}  // namespace parcast::analysis
