// What an export writes: one execution, recorded or predicted, with its names. The writers of foreign formats
// (writers.h) read nothing else.

#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "timeline/parallelism.h"
#include "timeline/timeline.h"

namespace parcast::trace {

// The threads of a message program belong to ranks, and ranks lie on nodes.
struct Ranks {
    std::uint32_t threads_each = 1;           // its CPUs; a rank's threads follow each other
    std::vector<std::uint32_t> node_of_rank;  // from 0, without gaps
};

// One operation of one thread, at the instant at which it was executed.
struct Mark {
    Instant when;
    ObjectId object = ObjectId::none();
    ThreadId other = ThreadId::none();  // the thread that it creates, joins, ...
    SiteId site = SiteId::none();
    std::uint8_t kind = 0;  // into Execution::mark_names
};

struct Execution {
    std::string title;                         // "pigz -p 8 -k big.tar on 8 CPUs, predicted"
    Timeline const* timeline;                  // with intervals; not null
    std::vector<ParallelismStep> parallelism;  // in time order; the last one ends with the timeline
    // The marks of a thread in time order, one thread at a time, so that not all have to be in memory.
    std::function<std::vector<Mark>(ThreadId)> marks;  // absent: none
    std::span<char const* const> mark_names;
    std::optional<Ranks> ranks = std::nullopt;  // none: all threads are one process on one node
};

// Whether arrows of releases are of use: where there are messages, these say it.
bool has_releases(Timeline const& timeline);

// Whether the row was ended by another thread's release and the same thread's next row says what followed.
// Such a pair of rows is an arrow: from the releaser to the next row, at the instant at which they meet.
bool is_released(IntervalColumns const& rows, std::size_t row);

}  // namespace parcast::trace
