// Recordings made by hand, for tests: threads of one process whose events follow each other.
//
//     Recording recording(2);
//     auto const mutex = recording.object(ObjectKind::mutex);
//     recording.begin(0, 0).create(0, 10, 1, 10).add(0, {.kind = EventKind::lock, .at = 20, .object =
//     mutex});
//
// Times are the test's own units (ns). CPU time before an event is given, never derived, as in a trace.

#pragma once

#include <algorithm>
#include <cstdint>

#include "core/catalogue.h"
#include "timeline/timeline.h"

namespace parcast::extract {

struct Call {
    EventKind kind = EventKind::yield;
    std::int64_t at = 0;    // arrival
    std::int64_t cpu = 0;   // before it
    std::int64_t span = 0;  // arrival to return; a call with a span blocked
    std::uint32_t object = 0xffffffff;
    std::uint32_t related = 0xffffffff;
    std::int64_t value = 0;
    std::int64_t cpu_inside = 0;
    std::uint32_t site = 0xffffffff;
    Outcome outcome = Outcome::done;
};

class Recording {
public:
    explicit Recording(std::size_t threads) {
        timeline_.catalogue.threads.resize(threads);
        timeline_.events.resize(threads);
    }

    std::uint32_t object(ObjectKind kind) {
        timeline_.catalogue.objects.push_back({});
        timeline_.catalogue.objects.back().kind = kind;
        return static_cast<std::uint32_t>(timeline_.catalogue.objects.size() - 1);
    }
    std::uint32_t initialised(ObjectKind kind, std::int64_t initial_value) {
        std::uint32_t const result = object(kind);
        timeline_.catalogue.objects.back().initial_value = initial_value;
        return result;
    }
    std::uint32_t site() {
        timeline_.catalogue.sites.push_back({});
        return static_cast<std::uint32_t>(timeline_.catalogue.sites.size() - 1);
    }

    Recording& add(std::size_t thread, Call const& call) {
        Event event;
        event.kind = call.kind;
        event.wall_ns = call.at;
        event.cpu_ns = call.cpu;
        event.span_ns = call.span;
        event.cpu_inside_ns = call.cpu_inside;
        event.value = call.value;
        event.object.value = call.object;
        event.related = call.related;
        event.site.value = call.site;
        event.outcome = call.outcome;
        event.blocked = call.span > 0;
        timeline_.events[thread].push_back(event);
        timeline_.length = std::max(timeline_.length, Duration{call.at + call.span});
        return *this;
    }
    Recording& begin(std::size_t thread, std::int64_t at) {
        return add(thread, {.kind = EventKind::thread_begin, .at = at});
    }
    Recording& end(std::size_t thread, std::int64_t at, std::int64_t cpu = 0,
                   Outcome outcome = Outcome::done) {
        return add(thread, {.kind = EventKind::thread_end, .at = at, .cpu = cpu, .outcome = outcome});
    }
    Recording& create(std::size_t thread, std::int64_t at, std::uint32_t child, std::int64_t cpu = 0) {
        timeline_.catalogue.threads[child].parent = ThreadId(thread);
        return add(thread, {.kind = EventKind::thread_create, .at = at, .cpu = cpu, .related = child});
    }

    Timeline& timeline() { return timeline_; }

private:
    Timeline timeline_;
};

}  // namespace parcast::extract
