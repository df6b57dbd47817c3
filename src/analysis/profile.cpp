#include "analysis/profile.h"

#include <algorithm>
#include <tuple>
#include <utility>

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

}  // namespace

Profiler::Profiler(std::size_t threads, std::size_t objects)
    : threads_(threads), objects_(objects), holdings_(objects) {
    for (std::size_t i = 0; i < threads; ++i)
        threads_[i].thread = ThreadId(i);
    for (std::size_t i = 0; i < objects; ++i)
        objects_[i].object = ObjectId(i);
}

void Profiler::add(ThreadId thread, Event const& event) {
    ThreadProfile& row = threads_[thread.index()];
    if (row.events++ == 0)
        thread_begin_ns_ = event.wall_ns;
    row.cpu += Duration{event.cpu_ns + event.cpu_inside_ns};
    row.lifetime = Duration{event.wall_ns + event.span_ns - thread_begin_ns_};
    row.alive_at_exit = event.outcome == Outcome::cut_off;  // that of the last event stays
    count_time(row, event);
    count_operation(event);
    holdings_.add(event);
}

void Profiler::count_time(ThreadProfile& row, Event const& event) {
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

void Profiler::count_operation(Event const& event) {
    Family const family = family_of(event.kind);
    bool const counts = family == Family::synchronisation || family == Family::input_output;
    if (!counts || event.object.is_none())
        return;
    ObjectProfile& row = objects_[event.object.index()];
    ++row.operations;
    row.contended += event.blocked ? 1 : 0;
    row.waiting += Duration{event.blocked ? event.span_ns : 0};
}

Profile Profiler::finish() {
    for (std::size_t i = 0; i < objects_.size(); ++i) {
        objects_[i].held_total = holdings_.of_object()[i].total;
        objects_[i].held_longest = holdings_.of_object()[i].longest;
    }
    std::erase_if(objects_, [](ObjectProfile const& row) { return row.operations == 0; });
    std::stable_sort(objects_.begin(), objects_.end(), [](ObjectProfile const& a, ObjectProfile const& b) {
        return std::tie(a.contended, a.operations) > std::tie(b.contended, b.operations);
    });
    return {std::move(threads_), std::move(objects_), {}};
}

}  // namespace parcast::analysis
