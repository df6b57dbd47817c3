#include "extract/polling/course_of_others.h"

#include <algorithm>
#include <cmath>

namespace parcast::extract {

namespace {

bool rests(Event const& event) {
    return event.span_ns > 0 && (event.blocked || event.kind == EventKind::sleep);
}

}  // namespace

CourseOfOthers::CourseOfOthers(Timeline const& recorded, std::span<NapGroup const> groups)
    : recorded_(recorded), rows_(recorded.events.size()) {
    for (NapGroup const& group : groups)
        for (NapRow const& row : group.rows)
            rows_[row.thread.index()].push_back({row.first(), row.last()});
    std::vector<Change> changes;
    for (std::size_t thread = 0; thread < rows_.size(); ++thread) {
        std::ranges::sort(rows_[thread], {}, &Range::first);
        add_changes(thread, changes);
    }
    // Who goes on comes before who stops at the same time: there is no rest in between.
    std::ranges::sort(changes, [](Change const& a, Change const& b) {
        return a.when_ns != b.when_ns ? a.when_ns < b.when_ns : a.running > b.running;
    });
    std::int64_t running = 0;
    for (Change const& change : changes) {
        if (running == 0 && !rests_.empty())
            rests_.back().to_ns = change.when_ns;
        running += change.running;
        if (running == 0)
            rests_.push_back({change.when_ns, change.when_ns});
    }
    if (!rests_.empty() && running == 0)
        rests_.back().to_ns = std::max(rests_.back().to_ns, recorded.length.ns);
}

void CourseOfOthers::add_changes(std::size_t thread, std::vector<Change>& changes) const {
    auto const& events = recorded_.events[thread];
    if (events.empty())
        return;
    auto const& rows = rows_[thread];
    auto row = rows.begin();
    changes.push_back({events.front().wall_ns, 1});
    for (std::uint32_t i = 0; i < events.size(); ++i) {
        Event const first = events[i];
        std::int64_t until_ns = return_ns(first);
        if (row != rows.end() && row->first == i) {
            until_ns = return_ns(events[row->last]);
            i = row->last;
            ++row;
        } else if (!rests(first)) {
            continue;
        }
        changes.push_back({first.wall_ns, -1});
        changes.push_back({until_ns, 1});
    }
    changes.push_back({return_ns(events.back()), -1});
}

std::optional<std::int64_t> CourseOfOthers::came_to_rest(LookInterval interval, std::int64_t least_ns) const {
    auto rest = std::ranges::upper_bound(rests_, interval.to_ns, {}, &LookInterval::from_ns);
    while (rest != rests_.begin() && (--rest)->from_ns > interval.from_ns)
        if (rest->to_ns - rest->from_ns >= least_ns)
            return rest->from_ns;
    return std::nullopt;
}

bool CourseOfOthers::rested_throughout(LookInterval interval) const {
    auto const after = std::ranges::upper_bound(rests_, interval.from_ns, {}, &LookInterval::from_ns);
    return after != rests_.begin() && (after - 1)->to_ns >= interval.to_ns;
}

CourseOfOthers::Range const* CourseOfOthers::row_around(std::size_t thread, std::uint32_t event) const {
    auto const& rows = rows_[thread];
    auto const after = std::ranges::upper_bound(rows, event, {}, &Range::first);
    return after != rows.begin() && (after - 1)->last >= event ? &*(after - 1) : nullptr;
}

std::uint32_t CourseOfOthers::first_after(std::size_t thread, std::int64_t when_ns) const {
    auto const& events = recorded_.events[thread];
    std::uint32_t first = 0;
    auto last = static_cast<std::uint32_t>(events.size());
    while (first < last) {
        std::uint32_t const middle = first + (last - first) / 2;
        if (events[middle].wall_ns <= when_ns)
            first = middle + 1;
        else
            last = middle;
    }
    return first;
}

CourseOfOthers::Range CourseOfOthers::events_in(std::size_t thread, LookInterval interval) const {
    std::uint32_t const last = first_after(thread, interval.to_ns);
    std::uint32_t const first = first_after(thread, interval.from_ns);
    return {std::max(first, last > most_events_seen ? last - most_events_seen : 0), last};
}

std::optional<EventReference> CourseOfOthers::latest_call(ThreadId thread, std::int64_t when_ns) const {
    std::uint32_t const after = first_after(thread.index(), when_ns);
    if (after == 0)
        return std::nullopt;
    Range const* const row = row_around(thread.index(), after - 1);
    return EventReference{thread, row ? row->first : after - 1};
}

std::optional<CourseOfOthers::Running> CourseOfOthers::running_at(ThreadId napper,
                                                                  std::int64_t when_ns) const {
    std::optional<Running> found;
    std::int64_t latest_ns = 0;
    for (std::size_t thread = 0; thread < recorded_.events.size(); ++thread) {
        auto const& events = recorded_.events[thread];
        std::uint32_t const after = first_after(thread, when_ns);
        if (ThreadId(thread) == napper || after == 0 || after == events.size() || is_look(thread, after - 1))
            continue;
        std::int64_t const begin_ns = return_ns(events[after - 1]);
        Event const next = events[after];
        if (begin_ns >= when_ns || next.cpu_ns == 0 || (found && begin_ns < latest_ns))
            continue;
        latest_ns = begin_ns;
        double const left = static_cast<double>(next.wall_ns - when_ns) /
                            static_cast<double>(std::max<std::int64_t>(1, next.wall_ns - begin_ns));
        found = Running{{ThreadId(thread), after}, std::llround(left * static_cast<double>(next.cpu_ns))};
    }
    return found;
}

}  // namespace parcast::extract
