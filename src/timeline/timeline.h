// What happened, or would happen: the noun between measuring, predicting and reporting.
//
// A measured timeline (origin recorded) carries the events of every thread with their CPU times. A
// predicted one (origin predicted) carries intervals. Both carry the catalogue that names their ids.

#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/catalogue.h"
#include "core/result.h"
#include "core/time.h"
#include "core/work_share.h"
#include "timeline/event_list.h"
#include "timeline/interval.h"
#include "timeline/message.h"
#include "timeline/path_segment.h"
#include "timeline/provenance.h"

namespace parcast {

enum class Origin : std::uint8_t { recorded, predicted };

struct Timeline {
    Origin origin = Origin::recorded;
    Catalogue catalogue;
    Provenance provenance;          // of the recording, also in a prediction made from it
    std::vector<EventList> events;  // events[thread], recorded timelines only
    // shares[thread], recorded timelines only: of the work before its events, in their order. The last one of
    // an event is the stack that makes the call. Empty: functions were not recorded.
    std::vector<std::vector<WorkShare>> shares;
    std::optional<IntervalColumns> intervals;  // predicted timelines only
    // Predicted timelines only, if asked for: arrivals[thread][i] is when operation i of the thread's list
    // was executed, shorter than the list if it never got there. Under the client-server model not in order.
    std::vector<std::vector<Instant>> arrivals;
    std::vector<PathSegment> critical_path;  // predicted timelines only; empty after a deadlock
    std::vector<Message> messages;           // predicted timelines only, in the order in which they are sent
    std::uint32_t cpus = 1;
    Duration length;  // first instant to last
};

// Checks every invariant of Timeline, Event and IntervalColumns; the error names the first violation.
// Cost: one pass over events and intervals.
Result<void> check(Timeline const& timeline);
// The part of it that looks at neither events nor intervals: catalogue and provenance.
Result<void> check_names(Timeline const& timeline);

std::int64_t event_count(Timeline const& timeline);
// CPU time of a thread over the whole recording, ns.
std::int64_t cpu_time_ns(Timeline const& timeline, ThreadId thread);

}  // namespace parcast
