#include "analysis/spinning.h"

#include <algorithm>
#include <map>
#include <optional>
#include <span>

namespace parcast::analysis {

namespace {

bool continues_run(Event const& previous, Event const& event) {
    return previous.kind == EventKind::yield && event.kind == EventKind::yield &&
           previous.site == event.site && event.cpu_ns + previous.cpu_inside_ns < between_yields.ns;
}

void add_yields(ThreadId thread, std::span<Event const> events, std::vector<Spinning>& result) {
    std::map<SiteId, Spinning> by_site;
    for (std::size_t first = 0; first < events.size();) {
        std::size_t last = first + 1;
        Duration cpu;
        while (last < events.size() && continues_run(events[last - 1], events[last])) {
            cpu += Duration{events[last].cpu_ns + events[last].cpu_inside_ns};
            ++last;
        }
        auto const yields = static_cast<std::int64_t>(last - first);
        if (yields >= least_yields) {
            Spinning& found =
                by_site.try_emplace(events[first].site, Spinning{thread, events[first].site, {}, 0, true})
                    .first->second;
            found.cpu += cpu;
            found.count += yields;
        }
        first = last;
    }
    for (auto const& [site, found] : by_site) {
        result.push_back(found);
    }
}

// When each thread did something recorded, over all threads in order.
struct Trace {
    std::int64_t wall_ns;
    ThreadId thread;
};

std::vector<Trace> traces_of(Timeline const& recorded) {
    std::vector<Trace> traces;
    for (std::size_t thread = 0; thread < recorded.events.size(); ++thread) {
        for (Event const& event : recorded.events[thread]) {
            traces.push_back({event.wall_ns, ThreadId(thread)});
            if (event.span_ns > 0) {
                traces.push_back({event.wall_ns + event.span_ns, ThreadId(thread)});
            }
        }
    }
    std::sort(traces.begin(), traces.end(),
              [](Trace const& a, Trace const& b) { return a.wall_ns < b.wall_ns; });
    return traces;
}

// Whether another thread did something in the time `soon` before the event, and none of it was this thread's.
bool follows_another(std::span<Trace const> traces, ThreadId thread, Event const& event) {
    auto at = std::lower_bound(traces.begin(), traces.end(), event.wall_ns,
                               [](Trace const& trace, std::int64_t when) { return trace.wall_ns < when; });
    if (at == traces.begin()) {
        return false;
    }
    --at;
    return at->thread != thread && event.wall_ns - at->wall_ns <= soon.ns;
}

std::optional<Spinning> long_spinning(ThreadId thread, std::span<Event const> events,
                                      std::span<Trace const> traces) {
    Spinning found{thread, SiteId::none(), {}, 0, false};
    std::int64_t long_segments = 0;
    for (Event const& event : events) {
        if (event.cpu_ns < long_segment.ns || !event.switched || event.kind == EventKind::thread_end) {
            continue;
        }
        ++long_segments;
        if (follows_another(traces, thread, event)) {
            ++found.count;
            found.cpu += Duration{event.cpu_ns};
            found.site = event.site;
        }
    }
    bool const is_most = found.count * 5 >= long_segments * 4;
    return found.count >= least_segments && is_most ? std::optional(found) : std::nullopt;
}

}  // namespace

std::vector<Spinning> spinning(Timeline const& recorded) {
    std::vector<Spinning> result;
    std::vector<Trace> const traces = traces_of(recorded);
    for (std::size_t thread = 0; thread < recorded.events.size(); ++thread) {
        add_yields(ThreadId(thread), recorded.events[thread], result);
        if (auto const found = long_spinning(ThreadId(thread), recorded.events[thread], traces)) {
            result.push_back(*found);
        }
    }
    std::stable_sort(result.begin(), result.end(), [](Spinning const& a, Spinning const& b) {
        return a.is_certain != b.is_certain ? a.is_certain : a.cpu > b.cpu;
    });
    return result;
}

}  // namespace parcast::analysis
