// Columns of an execution: lanes and events.

#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/time.h"
#include "program/thread_program.h"
#include "timeline/accounts.h"
#include "timeline/interval.h"
#include "view/sections.h"

namespace parcast::view {

// The lanes of an execution: what each thread does over time, and which threads each processor runs, with
// their levels of detail. One column an attribute, in the order of docs/formats/execution.md.

// Sections lane.*, interval.* and pyramid.*. REQUIRES: fewer than 65 536 processors.
void add_thread_lanes(SectionWriter& writer, IntervalColumns const& rows, Accounts const& accounts);

// Sections cpu.*. Empty lanes where no interval has a processor of its own.
void add_cpu_lanes(SectionWriter& writer, IntervalColumns const& rows, std::uint32_t cpus);

// The operations of a replay as events: when each was executed, on what, and from where in the source; and by
// object, in time order, so that one can step from one to the next.

// Sections event.* and object.event.*. arrivals: Timeline::arrivals of a replay of the program.
void add_events(SectionWriter& writer, ThreadProgram const& program,
                std::vector<std::vector<Instant>> const& arrivals);

// The same sections of an execution whose events are not kept, or that has none.
void add_no_events(SectionWriter& writer, std::size_t threads, std::size_t objects);

}  // namespace parcast::view
