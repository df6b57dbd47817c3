#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <vector>

#include "core/kernel_locks.h"
#include "core/openmp_objects.h"
#include "extract/passes/passes.h"

namespace parcast::extract {

namespace {

// What is known about the rounds of one object.
struct Rounds {
    std::vector<Waking> wakings;
    std::int64_t waking_ns = 0;  // their sum
    std::int64_t woken = 0;      // in all rounds
};

void take(Rounds const& rounds, std::uint32_t object, Plan& plan) {
    if (rounds.woken == 0 || rounds.waking_ns < rounds.woken)
        return;  // below a nanosecond each
    plan.objects[object].waking = Duration{rounds.waking_ns / rounds.woken};
    plan.wakings.insert(plan.wakings.end(), rounds.wakings.begin(), rounds.wakings.end());
}

// An arrival at a barrier whose last one is not told.
struct Arrival {
    std::uint32_t barrier = no_object;
    std::int64_t when_ns = 0;
    EventReference event;
};

class Barriers {
public:
    Barriers(Timeline const& recorded, RecordingPrices const& prices, Plan& plan)
        : recorded_(recorded), prices_(prices), plan_(plan), uses_(recorded.catalogue.objects.size()) {}

    void find() {
        for_each_event(recorded_, plan_.kinds, {EventKind::barrier_wait},
                       [&](EventReference reference, Event const& event) { count(reference, event); });
        for_each_event(recorded_, plan_.kinds, {EventKind::barrier_wait},
                       [&](EventReference reference, Event const& event) { collect(reference, event); });
        add_untold();
        for (std::size_t object = 0; object < uses_.size(); ++object) {
            plan_.objects[object].team = uses_[object].is_of_team();
            take(uses_[object].rounds, static_cast<std::uint32_t>(object), plan_);
        }
    }

private:
    struct Use {
        std::int64_t arrivals = 0;
        std::int64_t told = 0;
        std::int64_t participants = 0;
        bool is_whole = true;
        Rounds rounds;

        std::int64_t round_count() const { return participants > 0 ? arrivals / participants : 0; }
        // In a round that was left somebody would have been told.
        bool is_of_team() const { return participants > 1 && round_count() > 0 && told == 0; }
        bool has_whole_rounds() const { return is_whole && participants > 1 && arrivals % participants == 0; }
    };

    void count(EventReference reference, Event const& event) {
        if (event.object.is_none())
            return;
        auto& use = uses_[event.object.index()];
        auto const step = plan_.step(reference);
        bool const arrives = step.form == Step::Form::operation && step.kind == OperationKind::barrier_wait;
        use.is_whole = use.is_whole && arrives && (use.participants == 0 || use.participants == step.value);
        use.participants = arrives ? step.value : use.participants;
        ++use.arrivals;
        use.told += event.value == 1 ? 1 : 0;
    }

    void collect(EventReference reference, Event const& event) {
        if (event.object.is_none() || !uses_[event.object.index()].has_whole_rounds())
            return;
        auto const& use = uses_[event.object.index()];
        if (use.told == use.round_count() && event.value == 1)
            add(reference, event);
        else if (use.told == 0)
            untold_.push_back({event.object.value, event.wall_ns, reference});
    }

    void add_untold() {
        std::ranges::sort(untold_, [](Arrival const& a, Arrival const& b) {
            return std::tie(a.barrier, a.when_ns, a.event) < std::tie(b.barrier, b.when_ns, b.event);
        });
        for (std::size_t i = 0; i < untold_.size();) {
            i += static_cast<std::size_t>(uses_[untold_[i].barrier].participants);
            auto const last = untold_[i - 1].event;
            add(last, recorded_.events[last.thread.index()][last.index]);
        }
    }

    void add(EventReference reference, Event const& event) {
        auto& [arrivals, told, participants, is_whole, rounds] = uses_[event.object.index()];
        auto const price = std::llround(recording_cost(event, prices_).inside_ns);
        auto const ns = std::max<std::int64_t>(0, event.cpu_inside_ns - price);
        rounds.woken += participants - 1;
        if (ns == 0)
            return;
        rounds.waking_ns += ns;
        rounds.wakings.push_back({reference, ns});
    }

    Timeline const& recorded_;
    RecordingPrices const& prices_;
    Plan& plan_;
    std::vector<Use> uses_;  // by object
    std::vector<Arrival> untold_;
};

// What follows an arrival at a barrier of a mutex and a condition, until the mutex is given up.
struct Departures {
    std::vector<Waking> callers;  // with all that follows
    std::int64_t waiting_ns = 0;  // behind the waits
    std::int64_t waits = 0;       // of which that is known,
    std::int64_t woken = 0;       // and all
    std::int64_t broadcasts = 0;  // likewise, of which there are callers
    bool are_known = true;
};

// One in which the kernel noted a page fault (an event of `kernels`) tells nothing. REQUIRES: the event is
// such an arrival.
void add_departure(Timeline const& recorded, EventReference arrival, ConditionBarrier const& barrier,
                   KernelLocks const& kernels, Departures& departures) {
    auto const& events = recorded.events[arrival.thread.index()];
    auto const next = arrival.index + 1;
    auto release = next;
    while (release < events.size() && kernels.has(events[release].object))
        ++release;
    bool const is_left = release < events.size() && releases_lock(events[release].kind) &&
                         events[release].object == barrier.mutex;
    departures.are_known = departures.are_known && is_left;
    auto const kind = events[arrival.index].kind;
    bool const waited = kind == EventKind::condition_wait || kind == EventKind::timed_condition_wait;
    ++(waited ? departures.woken : departures.broadcasts);
    if (!departures.are_known || release != next)
        return;
    auto const ns = events[next].cpu_ns;
    departures.waits += waited ? 1 : 0;
    departures.waiting_ns += waited ? ns : 0;
    if (!waited)
        departures.callers.push_back({{arrival.thread, next}, ns});
}

// More than that is work of the broadcaster's own: a wake-up takes some microseconds, and ten times as much
// on a machine whose CPUs sleep deeply.
constexpr std::int64_t most_for_each_ns = 50'000;

Rounds rounds_of(Departures departures) {
    Rounds rounds;
    if (departures.broadcasts == 0)
        return rounds;
    auto const callers = static_cast<std::int64_t>(departures.callers.size());
    rounds.woken = departures.woken * callers / departures.broadcasts;
    auto const usual_ns = departures.waits > 0 ? departures.waiting_ns / departures.waits : 0;
    for (Waking& caller : departures.callers) {
        caller.ns = std::max<std::int64_t>(0, caller.ns - usual_ns);
        rounds.waking_ns += caller.ns;
        if (caller.ns > 0)
            rounds.wakings.push_back(caller);
    }
    if (rounds.waking_ns > most_for_each_ns * rounds.woken)
        return {};
    return rounds;
}

void find_starts_of_teams(Timeline const& recorded, Plan& plan) {
    auto const& objects = recorded.catalogue.objects;
    OpenmpObjects const made_by_recorder(recorded.catalogue);
    for (std::size_t number = 0; number < objects.size(); ++number)
        if (objects[number].kind == ObjectKind::semaphore)
            plan.objects[number].team = made_by_recorder.contains_start(objects[number]);
}

void find_at_conditions(Timeline const& recorded, Plan& plan) {
    std::vector<Departures> departures(plan.barriers.size());
    KindSet const kinds = {EventKind::condition_wait, EventKind::timed_condition_wait,
                           EventKind::condition_signal, EventKind::condition_broadcast};
    if (plan.barriers.empty())
        return;
    KernelLocks const kernels(recorded.catalogue);
    for_each_event(recorded, plan.kinds, kinds, [&](EventReference reference, Event const&) {
        auto const step = plan.step(reference);
        if (step.form != Step::Form::operation || step.kind != OperationKind::condition_barrier)
            return;
        auto const number = static_cast<std::size_t>(step.value);
        add_departure(recorded, reference, plan.barriers[number], kernels, departures[number]);
    });
    for (std::size_t number = 0; number < departures.size(); ++number)
        if (departures[number].are_known)
            take(rounds_of(std::move(departures[number])), plan.barriers[number].condition.value, plan);
}

}  // namespace

void plan_wakings(Timeline const& recorded, RecordingPrices const& prices, Plan& plan) {
    Barriers(recorded, prices, plan).find();
    find_starts_of_teams(recorded, plan);
    find_at_conditions(recorded, plan);
    std::ranges::sort(plan.wakings, {}, &Waking::event);
}

}  // namespace parcast::extract
