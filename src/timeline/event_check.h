// Checks the events of a recording against the invariants of Event and Timeline while they go by. The first
// violation stays.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "core/catalogue.h"
#include "core/result.h"
#include "core/time.h"
#include "timeline/event.h"

namespace parcast {

class EventCheck {
public:
    // `catalogue` is the caller's, as long as it checks; `length` is that of the timeline.
    EventCheck(Catalogue const& catalogue, Duration length) : catalogue_(catalogue), length_(length) {}

    // In the order of an EventSink.
    void add(ThreadId thread, std::span<Event const> events);
    // No event so far broke an invariant.
    bool is_sound() const { return !violation_; }
    // After the last event. Errors: inconsistent, the first violation.
    Result<void> finish();

private:
    void end_threads_before(std::size_t thread);
    void end_thread();
    void check(Event const& event);

    Catalogue const& catalogue_;
    Duration length_;
    std::size_t thread_ = 0;
    std::size_t count_ = 0;  // events of the thread
    std::int64_t previous_wall_ns_ = 0;
    Event last_;               // of those that were added at once
    std::int64_t cpu_ns_ = 0;  // of all threads: sums over any of them fit then, too
    std::optional<std::string> violation_;
};

}  // namespace parcast
