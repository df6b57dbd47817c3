// What time is surely reachable by binding n processes to k processors? For every program that synchronises
// by waits and activations alone, some binding, with the best order on each processor, takes at most p(n, k,
// t, z, V) times as long as with a processor for each process and no latency; for some program no binding
// takes less (Broberg 2002, paper VII, with its misprints corrected).
//
//     p = min over allocations A of  s(A, V) + z r(A, t, V)
//     s = sum_q v_q E[most of q active processes on one processor]    active ones lie anywhere, alike
//     r = t sum_q q v_q P[two processes are on different processors]
//
// A says how many processes each processor has. No lower bound: a given program may do better.

#pragma once

#include <cstdint>
#include <vector>

#include "core/result.h"

namespace parcast::model {

struct SynchronisedProgram {
    std::vector<double> profile;  // v_1..v_n: which part of the time q processes are active, on n processors
    double granularity = 0;       // z: activations per time of work, in all processes
    double latency = 0;           // t: of an activation between processors, in the same unit of time
};

struct ReachableTime {
    double factor = 1;  // p
    std::vector<std::uint32_t>
        allocation;                 // processes by processor, falling; processors without any are left out
    std::uint64_t evaluations = 0;  // of s, among all allocations
};

// Up to so many processes: their subsets are counted in doubles.
inline constexpr std::uint32_t most_reachable_processes = 1000;

// By branch and bound over allocations: best first, the rest of each as even as possible for s, and as packed
// as possible for r. Errors: out_of_range (no process, too many, no processor, a negative value),
// inconsistent (a profile that does not sum to 1).
Result<ReachableTime> reachable_time(SynchronisedProgram const& program, std::uint32_t processors);

// s. REQUIRES: the allocation falls, and sums to the length of the profile.
double expected_most_active(std::vector<std::uint32_t> const& allocation, std::vector<double> const& profile);

// r / t.
double latencies_paid(std::vector<std::uint32_t> const& allocation, std::vector<double> const& profile);

}  // namespace parcast::model
