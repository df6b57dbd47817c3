#include "extract/passes/passes.h"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include "core/openmp_objects.h"
#include "core/tournament.h"

namespace parcast::extract {

namespace {

constexpr KindSet waits{EventKind::semaphore_wait, EventKind::try_semaphore_wait,
                        EventKind::timed_semaphore_wait};
constexpr KindSet waits_and_posts{EventKind::semaphore_wait, EventKind::try_semaphore_wait,
                                  EventKind::timed_semaphore_wait, EventKind::semaphore_post};

// A unit that is posted, or taken. The default comes after all others.
struct UnitChange {
    std::int64_t when_ns = std::numeric_limits<std::int64_t>::max();
    bool is_taken = false;
    EventReference event{ThreadId::none(), 0};

    bool is_none() const { return event.thread.is_none(); }
    friend bool operator<(UnitChange const& a, UnitChange const& b) {
        return std::tie(a.when_ns, a.is_taken, a.event) < std::tie(b.when_ns, b.is_taken, b.event);
    }
};

// Those of one thread, one after the other: posts when they are called, waits when they return.
class ChangesOfThread {
public:
    ChangesOfThread(ThreadId thread, EventList const& events) : thread_(thread), events_(&events) {}

    // None after the last.
    UnitChange next() {
        while (next_ < events_->size()) {
            Event const event = (*events_)[next_++];
            if (!waits_and_posts.contains(event.kind) || event.object.is_none() ||
                event.outcome != Outcome::done)
                continue;
            bool const is_taken = event.kind != EventKind::semaphore_post;
            return {is_taken ? return_ns(event) : event.wall_ns,
                    is_taken,
                    {thread_, static_cast<std::uint32_t>(next_ - 1)}};
        }
        return {};
    }

private:
    ThreadId thread_;
    EventList const* events_;
    std::size_t next_ = 0;
};

// Calls `visit(UnitChange)` for all of them in the order of time. There may be as many as events: no list of
// them is made.
template <class Visit>
void for_each_change(Timeline const& recorded, Plan const& plan, Visit const& visit) {
    std::vector<ChangesOfThread> changes;
    Tournament<UnitChange> next(recorded.events.size());
    for (std::size_t thread = 0; thread < recorded.events.size(); ++thread) {
        changes.emplace_back(ThreadId(thread), recorded.events[thread]);
        if (plan.kinds[thread].intersects(waits_and_posts))
            next.set(thread, changes.back().next());
    }
    for (auto change = next.first(); !change.is_none(); change = next.first()) {
        visit(change);
        auto const thread = change.event.thread.index();
        next.set(thread, changes[thread].next());
    }
}

// What is known about the units of a semaphore, as far as time has come.
struct Units {
    std::int64_t there = 0;
    std::int64_t lowest = 0;
    std::int64_t posts = 0;
    std::uint32_t posted = 0;  // the next one
    std::uint32_t taken = 0;
    std::int64_t most_taken_early = 0;  // so many of the waits may take what was not posted yet
};

// All units of the recording, from none on.
std::vector<Units> count_units(Timeline const& recorded, Plan const& plan) {
    std::vector<Units> all(plan.objects.size());
    for_each_change(recorded, plan, [&](UnitChange const& change) {
        auto const reference = change.event;
        auto& units = all[recorded.events[reference.thread.index()].object_of(reference.index).index()];
        units.there += change.is_taken ? -1 : 1;
        units.lowest = std::min(units.lowest, units.there);
        units.posts += change.is_taken ? 0 : 1;
    });
    return all;
}

// How many of the waits may take a unit that was posted later: those of a member of an OpenMP team. libgomp
// wakes the team before the initial thread comes to where its posts are recorded, and on one CPU a member may
// have done all the work of the region by then.
Units units_at_first(Units const& counted, std::optional<std::int64_t> known, bool is_start) {
    auto const initial = known ? std::max<std::int64_t>(0, *known) : -counted.lowest;
    return {.there = initial,
            .posted = static_cast<std::uint32_t>(initial),
            .most_taken_early = initial + (is_start ? counted.posts : 0)};
}

Step step_of(UnitChange const& change, Event const& event, Units& units, Plan& plan) {
    auto const object = event.object.value;
    if (!change.is_taken) {
        ++units.there;
        return operation(OperationKind::semaphore_post, object, encode(TokenGrant{1, units.posted++}));
    }
    if (units.there <= 0 && units.taken >= units.most_taken_early) {
        ++plan.doubts.unreleased_waits;
        return delay_step(event);
    }
    --units.there;
    return operation(OperationKind::semaphore_wait, object, encode_number(units.taken++));
}

}  // namespace

void plan_semaphores(Timeline const& recorded, Plan& plan) {
    auto const uses_some = [](KindSet kinds) { return kinds.intersects(waits_and_posts); };
    if (std::ranges::none_of(plan.kinds, uses_some))
        return;
    for_each_event(recorded, plan.kinds, waits, [&](EventReference reference, Event const& event) {
        if (event.outcome == Outcome::timed_out || event.outcome == Outcome::cut_off)
            plan.at(reference) = interrupted_step(recorded, reference);
    });
    auto all = count_units(recorded, plan);
    OpenmpObjects const openmp(recorded.catalogue);
    for (std::size_t object = 0; object < all.size(); ++object) {
        auto const& counted = all[object];
        if (counted.posts == 0 && counted.there == 0)
            continue;
        auto const& entry = recorded.catalogue.objects[object];
        plan.doubts.inferred_semaphores += entry.initial_value ? 0 : 1;
        all[object] = units_at_first(counted, entry.initial_value, openmp.contains_start(entry));
        plan.objects[object].initial_count = all[object].there;
    }
    for_each_change(recorded, plan, [&](UnitChange const& change) {
        auto const reference = change.event;
        Event const event = recorded.events[reference.thread.index()][reference.index];
        plan.at(reference) = step_of(change, event, all[event.object.index()], plan);
    });
}

namespace {

struct OnceCall {
    EventReference event;
    std::int64_t begin_ns = 0;  // the earliest instant at which it can have ended
    std::int64_t end_ns = 0;    // the latest
};

// One run of the routine, and who waited for it.
struct OnceRun {
    OnceCall call;
    std::vector<EventReference> waiters;
};

struct OnceUse {
    std::vector<OnceRun> runs;  // by end
    std::vector<OnceCall> waiters;
};

// The last run that had ended; if none had, the first that may have.
OnceRun* run_before(std::vector<OnceRun>& runs, OnceCall const& waiter) {
    OnceRun* found = nullptr;
    for (OnceRun& run : runs) {
        bool const had_ended = run.call.end_ns <= waiter.end_ns;
        if (had_ended || (!found && run.call.begin_ns <= waiter.end_ns))
            found = &run;
    }
    return found;
}

void plan_runs(std::uint32_t object, OnceUse& use, Plan& plan) {
    std::sort(use.runs.begin(), use.runs.end(), [](OnceRun const& a, OnceRun const& b) {
        return std::tie(a.call.end_ns, a.call.event) < std::tie(b.call.end_ns, b.call.event);
    });
    for (OnceCall const& waiter : use.waiters) {
        OnceRun* const run = run_before(use.runs, waiter);
        bool const had_to_wait =
            run && run->call.event.thread != waiter.event.thread &&
            std::none_of(run->waiters.begin(), run->waiters.end(),
                         [&](EventReference other) { return other.thread == waiter.event.thread; });
        if (had_to_wait)
            run->waiters.push_back(waiter.event);
    }
    std::uint32_t token = 0;
    for (OnceRun const& run : use.runs) {
        TokenGrant const grant{static_cast<std::uint32_t>(run.waiters.size()), token};
        if (grant.tokens > 0)
            plan.at(run.call.event) = operation(OperationKind::condition_signal, object, encode(grant));
        for (EventReference const waiter : run.waiters)
            plan.at(waiter) = operation(OperationKind::condition_wait, object,
                                        encode(TokenWait{ObjectId::none(), token++}));
    }
}

}  // namespace

void plan_once(Timeline const& recorded, Plan& plan) {
    std::map<std::uint32_t, OnceUse> uses;
    for_each_event(recorded, plan.kinds, {EventKind::once},
                   [&](EventReference reference, Event const& event) {
                       if (event.object.is_none())
                           return;
                       auto const& events = recorded.events[reference.thread.index()];
                       std::int64_t const begin =
                           reference.index == 0 ? event.wall_ns : return_ns(events[reference.index - 1]);
                       OnceCall const call{reference, begin, return_ns(event)};
                       OnceUse& use = uses[event.object.value];
                       if (event.value == 1)
                           use.runs.push_back({call, {}});
                       else
                           use.waiters.push_back(call);
                   });
    for (auto& [object, use] : uses)
        plan_runs(object, use, plan);
}

}  // namespace parcast::extract
