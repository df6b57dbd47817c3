// The lanes of an execution: what each thread does over time, and which threads each processor runs, with
// their levels of detail. One column an attribute, in the order of docs/formats/execution.md.

#pragma once

#include <cstdint>

#include "timeline/accounts.h"
#include "timeline/interval.h"
#include "view/sections.h"

namespace parcast::view {

// Sections lane.*, interval.* and pyramid.*. REQUIRES: fewer than 65 536 processors.
void add_thread_lanes(SectionWriter& writer, IntervalColumns const& rows, Accounts const& accounts);

// Sections cpu.*. Empty lanes where no interval has a processor of its own.
void add_cpu_lanes(SectionWriter& writer, IntervalColumns const& rows, std::uint32_t cpus);

}  // namespace parcast::view
