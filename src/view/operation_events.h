// The operations of a replay as events: when each was executed, on what, and from where in the source; and by
// object, in time order, so that one can step from one to the next.

#pragma once

#include <cstddef>
#include <vector>

#include "core/time.h"
#include "program/thread_program.h"
#include "view/sections.h"

namespace parcast::view {

// Sections event.* and object.event.*. arrivals: Timeline::arrivals of a replay of the program.
void add_events(SectionWriter& writer, ThreadProgram const& program,
                std::vector<std::vector<Instant>> const& arrivals);

// The same sections of an execution whose events are not kept, or that has none.
void add_no_events(SectionWriter& writer, std::size_t threads, std::size_t objects);

}  // namespace parcast::view
