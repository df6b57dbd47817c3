// Is so much of a recording the system's work that threads may wait for each other in the kernel?
//
// On one CPU no thread is ever met by another one in the kernel's locks (the map of the memory, a file, a
// folder), so a recording does not show them, and a replay lets the system serve all threads at once. How
// wrong that may be has a bound: if all of what the system does under such locks were behind one. That is
// work on page faults and on files; switches, wake-ups and creations of threads, of which programs with many
// threads have most, have a lock each.
//
// Each of n threads is taken to alternate between work of its own and work behind the lock, in proportion to
// their shares of the CPU time. Its throughput follows by mean value analysis of a closed network (Reiser &
// Lavenberg 1980), with exponential times, which is pessimistic for steady ones.

#pragma once

#include <cstdint>
#include <optional>

#include "answer/finding.h"
#include "timeline/timeline.h"

namespace parcast::analysis {

// By which share n CPUs deliver less than n times one CPU's work if `locked` of each thread's time is behind
// one lock: 0 is nothing. REQUIRES: 0 <= locked <= 1, n >= 1. Cost: O(n).
double loss_behind_one_lock(double locked, std::uint32_t n);

bool is_work_on_files(EventKind kind);

// By how much of the CPU time of the process that bound goes, of one; `file_ns` of it are work on files.
// REQUIRES: its system work is known.
double share_under_locks(Provenance const& provenance, std::int64_t file_ns);

// By which share `cpus` CPUs deliver less, if all of that is behind one lock. 0 where it is not known how
// much the system did, or that is what it does for every process. REQUIRES: cpus >= 1.
double most_loss_in_kernel(Provenance const& provenance, std::int64_t file_ns, std::uint32_t cpus);

// A warning if predictions may be too optimistic by a tenth or more for that, on as many CPUs as the
// recording pretends, otherwise as it has threads, of which 16 count: a bound grows with the CPUs until it
// says nothing. Likewise if several threads spend two fifths of the CPU time in the kernel outside of
// recorded calls (`inside_ns` is in those): whatever they do there. None if it is not known how much work was
// the system's.
std::optional<Finding> kernel_time(Timeline const& recorded, std::int64_t file_ns, std::int64_t inside_ns);

}  // namespace parcast::analysis
