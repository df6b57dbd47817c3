#include "extract/processor_use.h"

#include <algorithm>
#include <tuple>

#include "extract/plan.h"

namespace parcast::extract {

namespace {

// The CPU time in calls is not known where in them it lies; less than this part of the free time may be its
// error.
constexpr double least_idle_part = 0.25;

struct Change {
    std::int64_t when_ns;
    std::int64_t runnable;  // +1 or -1
};

std::vector<Change> changes_of(Timeline const& recorded) {
    std::vector<Change> changes;
    for (auto const& events : recorded.events) {
        if (events.empty())
            continue;
        changes.push_back({events.front().wall_ns, 1});
        for (Event const& event : events) {
            if (event.span_ns > 0) {
                changes.push_back({event.wall_ns, -1});
                changes.push_back({event.wall_ns + event.span_ns, 1});
            }
        }
        changes.push_back({events.back().wall_ns + events.back().span_ns, -1});
    }
    std::sort(changes.begin(), changes.end(), [](Change const& a, Change const& b) {
        return std::tie(a.when_ns, a.runnable) < std::tie(b.when_ns, b.runnable);
    });
    return changes;
}

}  // namespace

ProcessorUse::ProcessorUse(Timeline const& recorded) {
    stretches_.push_back({});
    for (Change const& change : changes_of(recorded)) {
        Stretch next = stretches_.back();
        next.begin_ns = change.when_ns;
        next.free_before_ns = free_until(change.when_ns);
        next.runnable += change.runnable;
        next.last_start_ns = change.runnable > 0 ? change.when_ns : next.last_start_ns;
        if (stretches_.back().begin_ns == change.when_ns)
            stretches_.back() = next;
        else
            stretches_.push_back(next);
    }
    add_work_in_calls(recorded);
}

void ProcessorUse::add_work_in_calls(Timeline const& recorded) {
    for_each_event(recorded, [&](EventReference, Event const& event) {
        std::int64_t const end = return_ns(event);
        std::int64_t const free = free_time(event.wall_ns, end);
        if (event.cpu_inside_ns <= 0 || free <= 0)
            return;
        double const part =
            std::min(1.0, static_cast<double>(event.cpu_inside_ns) / static_cast<double>(free));
        // Every call begins and ends a stretch.
        stretches_[stretch_before(event.wall_ns + 1)].in_calls += part;
        stretches_[stretch_before(end + 1)].in_calls -= part;
    });
    double in_calls = 0;
    for (std::size_t i = 0; i < stretches_.size(); ++i) {
        in_calls += stretches_[i].in_calls;
        stretches_[i].in_calls = in_calls;
        stretches_[i].idle_before_ns = idle_until(stretches_[i].begin_ns);
    }
}

// The last stretch that begins before `when_ns`; the first one if none does.
std::size_t ProcessorUse::stretch_before(std::int64_t when_ns) const {
    auto const after =
        std::lower_bound(stretches_.begin(), stretches_.end(), when_ns,
                         [](Stretch const& stretch, std::int64_t when) { return stretch.begin_ns < when; });
    return after == stretches_.begin() ? 0 : static_cast<std::size_t>(after - stretches_.begin()) - 1;
}

std::int64_t ProcessorUse::free_until(std::int64_t when_ns) const {
    Stretch const& stretch = stretches_[stretch_before(when_ns)];
    return stretch.free_before_ns + (stretch.runnable == 0 ? when_ns - stretch.begin_ns : 0);
}

std::int64_t ProcessorUse::free_time(std::int64_t from_ns, std::int64_t to_ns) const {
    return free_until(to_ns) - free_until(from_ns);
}

double ProcessorUse::idle_until(std::int64_t when_ns) const {
    Stretch const& stretch = stretches_[stretch_before(when_ns)];
    double const left = stretch.runnable == 0 ? std::max(0.0, 1 - stretch.in_calls) : 0;
    return stretch.idle_before_ns + left * static_cast<double>(when_ns - stretch.begin_ns);
}

bool ProcessorUse::was_idle(std::int64_t from_ns, std::int64_t to_ns) const {
    double const free = static_cast<double>(free_time(from_ns, to_ns));
    return free > 0 && idle_until(to_ns) - idle_until(from_ns) > least_idle_part * free;
}

std::int64_t ProcessorUse::device_wait(Event const& call) const {
    std::int64_t const begin = call.wall_ns;
    std::int64_t const end = begin + call.span_ns;
    std::int64_t const own = call.cpu_inside_ns;
    std::size_t at = stretch_before(end);
    bool const has_idle_time = was_idle(begin, end);
    if (stretches_[at].runnable == 0 && has_idle_time)
        return call.span_ns - own;
    if (has_idle_time) {
        // Bounded by the call: it has idle time, so a free stretch lies behind `begin`.
        while (stretches_[at].runnable != 0)
            --at;
        return stretches_[at + 1].begin_ns - begin - own;
    }
    if (call.kind == EventKind::output)
        return 0;
    std::int64_t const began = std::max(begin, stretches_[at].last_start_ns);
    return began - begin - std::min(own, free_time(begin, began));
}

}  // namespace parcast::extract
