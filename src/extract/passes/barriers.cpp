#include "extract/passes/passes.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <tuple>
#include <vector>

namespace parcast::extract {

namespace {

struct Use {
    std::int64_t done = 0;
    std::int64_t cut_off = 0;
    std::int64_t generations = 0;
};

bool is_arrival(Event const& event) {
    return !event.object.is_none() && (event.outcome == Outcome::done || event.outcome == Outcome::cut_off);
}

std::vector<Use> uses_of(Timeline const& recorded, Plan const& plan) {
    std::vector<Use> uses(recorded.catalogue.objects.size());
    for_each_event(recorded, plan.kinds, {EventKind::barrier_wait}, [&](EventReference, Event const& event) {
        if (!is_arrival(event))
            return;
        auto& use = uses[event.object.index()];
        use.done += event.outcome == Outcome::done ? 1 : 0;
        use.cut_off += event.outcome == Outcome::cut_off ? 1 : 0;
        use.generations += event.outcome == Outcome::done && event.value == 1 ? 1 : 0;
    });
    return uses;
}

std::optional<std::int64_t> participants(Object const& barrier, Use const& use) {
    if (barrier.initial_value && *barrier.initial_value > 0)
        return barrier.initial_value;
    bool const is_whole = use.generations > 0 && use.done % use.generations == 0;
    return is_whole ? std::optional(use.done / use.generations) : std::nullopt;
}

bool is_cut_off(Timeline const& recorded) {
    return std::any_of(recorded.events.begin(), recorded.events.end(), [](EventList const& events) {
        return !events.empty() && events.back().outcome == Outcome::cut_off;
    });
}

// An arrival at a barrier that may have incomplete rounds.
struct Arrival {
    std::uint32_t barrier = no_object;
    std::int64_t when_ns = 0;
    // From its wait, at once if it was told to be the last; never, if it was cut off or did not wait.
    std::int64_t returned_ns = std::numeric_limits<std::int64_t>::max();
    EventReference event;
    bool is_cut_off = false;
};

void plan_incomplete_round(Timeline const& recorded, std::span<Arrival const> round, Plan& plan) {
    for (auto const& arrival : round) {
        Event const& event = recorded.events[arrival.event.thread.index()][arrival.event.index];
        bool const has_left = event.outcome == Outcome::done;
        plan.doubts.unreleased_waits += has_left ? 1 : 0;
        plan.at(arrival.event) = has_left ? delay_step(event) : interrupted_step(recorded, arrival.event);
    }
}

// A round, while its arrivals are collected.
struct Round {
    std::vector<Arrival> arrivals;
    std::int64_t first_return_ns = std::numeric_limits<std::int64_t>::max();

    // Rule 2.
    bool may_have(Arrival const& arrival) const {
        return arrival.when_ns <= first_return_ns &&
               std::ranges::none_of(arrivals, [&](Arrival const& other) {
                   return other.event.thread == arrival.event.thread;
               });
    }
    // Takes the first of `from` that it may have, up to so many in all. What remains.
    std::span<Arrival const> take(std::span<Arrival const> from, std::size_t whole) {
        while (!from.empty() && arrivals.size() < whole && may_have(from.front())) {
            first_return_ns = std::min(first_return_ns, from.front().returned_ns);
            arrivals.push_back(from.front());
            from = from.subspan(1);
        }
        return from;
    }
};

// REQUIRES: by time, of one barrier, planned as complete: `done` went on, `cut_off` did not.
void plan_rounds(Timeline const& recorded, std::span<Arrival const> done, std::span<Arrival const> cut_off,
                 std::int64_t participants, Plan& plan) {
    auto const whole = static_cast<std::size_t>(participants);
    while (!done.empty()) {
        Round round;
        done = round.take(done, whole);
        cut_off = round.take(cut_off, whole);
        if (round.arrivals.size() < whole)
            plan_incomplete_round(recorded, round.arrivals, plan);
    }
    plan_incomplete_round(recorded, cut_off, plan);
}

void plan_arrival(Timeline const& recorded, EventReference reference, Event const& event,
                  std::optional<std::int64_t> participants, Plan& plan) {
    if (participants) {
        plan.at(reference) = operation(OperationKind::barrier_wait, event.object.value, *participants);
    } else if (event.outcome == Outcome::cut_off) {
        plan.at(reference) = interrupted_step(recorded, reference);
    } else {
        ++plan.doubts.unreleased_waits;
        plan.at(reference) = delay_step(event);
    }
}

}  // namespace

void plan_barriers(Timeline const& recorded, Plan& plan) {
    auto const uses = uses_of(recorded, plan);
    auto const count_of = [&](std::size_t barrier) {
        return participants(recorded.catalogue.objects[barrier], uses[barrier]);
    };
    bool const is_cut = is_cut_off(recorded);
    std::vector<Arrival> doubtful;
    for_each_event(recorded, plan.kinds, {EventKind::barrier_wait},
                   [&](EventReference reference, Event const& event) {
                       if (!is_arrival(event))
                           return;
                       auto const& use = uses[event.object.index()];
                       auto const count = count_of(event.object.index());
                       plan_arrival(recorded, reference, event, count, plan);
                       if (count && (is_cut || use.cut_off > 0 || use.done % *count != 0)) {
                           doubtful.push_back({.barrier = event.object.value,
                                               .when_ns = event.wall_ns,
                                               .event = reference,
                                               .is_cut_off = event.outcome == Outcome::cut_off});
                           bool const is_last = event.value == 1;
                           if (event.outcome == Outcome::done && (event.span_ns > 0 || is_last))
                               doubtful.back().returned_ns = is_last ? event.wall_ns : return_ns(event);
                       }
                   });
    std::sort(doubtful.begin(), doubtful.end(), [](Arrival const& a, Arrival const& b) {
        return std::tie(a.barrier, a.when_ns, a.event) < std::tie(b.barrier, b.when_ns, b.event);
    });
    for (std::span<Arrival const> rest = doubtful; !rest.empty();) {
        auto const barrier = rest.front().barrier;
        auto const last = std::find_if(rest.begin(), rest.end(),
                                       [&](Arrival const& arrival) { return arrival.barrier != barrier; });
        auto const length = static_cast<std::size_t>(last - rest.begin());
        std::vector<Arrival> done;
        std::vector<Arrival> cut_off;
        for (Arrival const& arrival : rest.first(length))
            (arrival.is_cut_off ? cut_off : done).push_back(arrival);
        plan_rounds(recorded, done, cut_off, *count_of(barrier), plan);
        rest = rest.subspan(length);
    }
}

}  // namespace parcast::extract
