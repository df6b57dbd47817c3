#include "analysis/profile.h"

#include <algorithm>
#include <tuple>

#include "analysis/holding.h"

namespace parcast::analysis {

namespace {

enum class Family : std::uint8_t { other, synchronisation, joining, input_output, sleeping };

Family family_of(EventKind kind) {
    if (acquires_lock(kind))
        return Family::synchronisation;
    switch (kind) {
        case EventKind::condition_wait:
        case EventKind::timed_condition_wait:
        case EventKind::condition_signal:
        case EventKind::condition_broadcast:
        case EventKind::barrier_wait:
        case EventKind::semaphore_wait:
        case EventKind::try_semaphore_wait:
        case EventKind::timed_semaphore_wait:
        case EventKind::semaphore_post:
        case EventKind::once:
        case EventKind::futex_wait:
        case EventKind::timed_futex_wait:
        case EventKind::futex_wake: return Family::synchronisation;
        case EventKind::thread_join: return Family::joining;
        case EventKind::input:
        case EventKind::output:
        case EventKind::poll:
        case EventKind::open_close:
        case EventKind::sync: return Family::input_output;
        case EventKind::sleep: return Family::sleeping;
        default: return Family::other;
    }
}

ThreadProfile thread_profile(Timeline const& recorded, std::size_t thread) {
    ThreadProfile row;
    row.thread = ThreadId(thread);
    row.cpu = Duration{cpu_time_ns(recorded, row.thread)};
    auto const& events = recorded.events[thread];
    row.events = static_cast<std::int64_t>(events.size());
    if (events.empty())
        return row;
    row.lifetime = Duration{events.back().wall_ns + events.back().span_ns - events.front().wall_ns};
    row.alive_at_exit = events.back().outcome == Outcome::cut_off;
    for (Event const& event : events) {
        Duration const span{event.span_ns};
        switch (family_of(event.kind)) {
            case Family::synchronisation:
            case Family::joining: row.blocked += span; break;
            case Family::input_output:
                row.input_output += Duration{std::max<std::int64_t>(0, event.span_ns - event.cpu_inside_ns)};
                break;
            case Family::sleeping: row.sleeping += span; break;
            case Family::other: break;
        }
    }
    return row;
}

void count_operations(Timeline const& recorded, std::vector<ObjectProfile>& rows) {
    for (auto const& events : recorded.events) {
        for (Event const& event : events) {
            Family const family = family_of(event.kind);
            bool const counts = family == Family::synchronisation || family == Family::input_output;
            if (!counts || event.object.is_none())
                continue;
            ObjectProfile& row = rows[event.object.index()];
            ++row.operations;
            row.contended += event.blocked ? 1 : 0;
            row.waiting += Duration{event.blocked ? event.span_ns : 0};
        }
    }
}

std::vector<ObjectProfile> object_profiles(Timeline const& recorded) {
    std::vector<ObjectProfile> rows(recorded.catalogue.objects.size());
    for (std::size_t i = 0; i < rows.size(); ++i)
        rows[i].object = ObjectId(i);
    count_operations(recorded, rows);
    std::vector<Holding> const held = holdings(recorded);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        rows[i].held_total = held[i].total;
        rows[i].held_longest = held[i].longest;
    }
    std::erase_if(rows, [](ObjectProfile const& row) { return row.operations == 0; });
    std::stable_sort(rows.begin(), rows.end(), [](ObjectProfile const& a, ObjectProfile const& b) {
        return std::tie(a.contended, a.operations) > std::tie(b.contended, b.operations);
    });
    return rows;
}

}  // namespace

Profile profile(Timeline const& recorded) {
    Profile result;
    for (std::size_t thread = 0; thread < recorded.events.size(); ++thread)
        result.threads.push_back(thread_profile(recorded, thread));
    result.objects = object_profiles(recorded);
    return result;
}

}  // namespace parcast::analysis
