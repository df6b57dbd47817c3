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

// The locks of one thread. `arrival` and `departure` are its CPU time at an event.
class Holder {
public:
    explicit Holder(std::vector<Holding>& result) : result_(result) {}

    void observe(Event const& event) {
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

private:
    struct Held {
        ObjectId object;
        Duration since;
        int depth = 1;
    };

    void add(ObjectId object, Duration held) {
        Holding& holding = result_[object.index()];
        holding.total += held;
        holding.longest = std::max(holding.longest, held);
    }

    auto find(ObjectId object) {
        return std::find_if(held_.begin(), held_.end(),
                            [&](Held const& each) { return each.object == object; });
    }

    void acquire(ObjectId object, Duration now) {
        auto const held = find(object);
        if (held != held_.end())
            ++held->depth;
        else if (!object.is_none())
            held_.push_back({object, now, 1});
    }

    void release(ObjectId object, Duration now) {
        auto const held = find(object);
        if (held != held_.end() && --held->depth == 0) {
            add(object, now - held->since);
            held_.erase(held);
        }
    }

    void lend(ObjectId mutex, Duration arrival, Duration departure) {
        auto const held = find(mutex);
        if (held != held_.end()) {
            add(mutex, arrival - held->since);
            held->since = departure;
        }
    }

    std::vector<Holding>& result_;
    std::vector<Held> held_;
    Duration cpu_;
};

}  // namespace

std::vector<Holding> holdings(Timeline const& recorded) {
    std::vector<Holding> result(recorded.catalogue.objects.size());
    for (auto const& events : recorded.events) {
        Holder holder(result);
        for (Event const& event : events)
            holder.observe(event);
    }
    return result;
}

}  // namespace parcast::analysis
