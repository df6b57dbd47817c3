// Runs a program with a processor for every thread (unbounded_run.h) to decide at *meetings* what the threads
// that come there do next: each passes over a stretch of its list, in a time that is decided when all have
// come.
//
// If nothing goes on any more although threads wait at
// a meeting, it is decided without those who have not come (they wait for one that has); they pass it at once
// when they do.

#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <vector>

#include "program/thread_program.h"

namespace parcast::extract {

// A thread's part in a meeting: operations [first, last) of its list.
struct Stop {
    ThreadId thread;
    std::uint32_t first = 0;
    std::uint32_t last = 0;
};
using Meeting = std::vector<Stop>;

inline constexpr std::int64_t never_ns = std::numeric_limits<std::int64_t>::max();

// By stop: on entry when its thread comes, or never_ns; on return when it goes on.
using Decide = std::function<void(std::size_t meeting, std::span<std::int64_t> times_ns)>;

// Decides every meeting once, also those that nobody comes to. REQUIRES: check(program) holds; a thread's
// stops do not overlap. Cost: O(operations + n log threads) for n operations that may wait or release.
void decide_meetings(ThreadProgram const& program, std::span<Meeting const> meetings, Decide const& decide);

}  // namespace parcast::extract
