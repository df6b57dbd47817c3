#include "extract/passes/timeouts.h"

#include <optional>
#include <vector>

namespace parcast::extract {

namespace {

bool only_locks(EventKind kind) {
    return acquires_lock(kind) || releases_lock(kind);
}

bool waits_for_unit(EventKind kind) {
    return kind == EventKind::semaphore_wait || kind == EventKind::try_semaphore_wait ||
           kind == EventKind::timed_semaphore_wait;
}

bool takes(EventKind kind) {
    return acquires_lock(kind) || waits_for_unit(kind);
}

// The thread's next call for the object of events[index], if it only looked until then.
std::optional<std::uint32_t> taken_up_again(EventList const& events, std::uint32_t index) {
    std::int64_t cpu_ns = 0;
    for (std::uint32_t i = index + 1; i < events.size(); ++i) {
        Event const event = events[i];
        cpu_ns += event.cpu_ns;
        if (cpu_ns > predicate_ns || i - index > most_calls_of_a_look)
            return std::nullopt;
        if (event.object == events[index].object && takes(event.kind))
            return i;
        if (!only_locks(event.kind))
            return std::nullopt;
    }
    return std::nullopt;
}

void plan_thread(ThreadId thread, EventList const& events, Plan& plan) {
    std::vector<bool> is_look;  // made when the first wait runs out: few threads have one
    for (auto i = static_cast<std::uint32_t>(events.size()); i-- > 0;) {
        Event const event = events[i];
        if (event.outcome != Outcome::timed_out || event.object.is_none() || !takes(event.kind))
            continue;
        is_look.resize(events.size());
        auto const next = taken_up_again(events, i);
        is_look[i] = next && (events[*next].outcome == Outcome::done || is_look[*next]);
        if (is_look[i])
            plan.at({thread, i}) = absorbed();
    }
}

}  // namespace

bool only_looked(Timeline const& recorded, EventReference earlier, EventReference later) {
    auto const& events = recorded.events[earlier.thread.index()];
    bool const may_lock = events[earlier.index].outcome == Outcome::timed_out;
    if (later.index - earlier.index > most_calls_of_a_look)
        return false;
    std::int64_t cpu_ns = 0;
    for (std::uint32_t i = earlier.index + 1; i <= later.index; ++i) {
        Event const event = events[i];
        cpu_ns += event.cpu_ns;
        if (cpu_ns > predicate_ns || (i < later.index && !(may_lock && only_locks(event.kind))))
            return false;
    }
    return true;
}

void plan_timeouts(Timeline const& recorded, Plan& plan) {
    for (std::size_t thread = 0; thread < recorded.events.size(); ++thread)
        plan_thread(ThreadId(thread), recorded.events[thread], plan);
}

}  // namespace parcast::extract
