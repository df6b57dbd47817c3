// Locks that the C library takes by itself: those of streams (stdio), which are recorded as mutexes, and
// those of the arenas of its malloc, which are not. Taken by several CPUs at the same moment, each hand-over
// takes longer than what the lock guards, so that more CPUs can make a program slower.

#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "analysis/survey.h"
#include "answer/finding.h"
#include "timeline/timeline.h"

namespace parcast::analysis {

// How many arenas the program allowed malloc, by mallopt, GLIBC_TUNABLES or MALLOC_ARENA_MAX. None: as many
// as libc takes by itself, eight for each CPU. Threads that run at the same time then find one that is free.
std::optional<std::int64_t> most_arenas(Provenance const& provenance);

// A stream that threads share much; arenas that are fewer than the threads that compute.
void add_libc_locks(Timeline const& recorded, Survey const& survey, std::vector<Finding>& result);

}  // namespace parcast::analysis
