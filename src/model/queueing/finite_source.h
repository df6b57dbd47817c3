// The queue M/M/c//n: n customers think, then ask for one of c servers, first come first served. Thinking and
// service are exponential. With one server it is a lock: customers are threads, service is holding it, and
// the wait is what contention costs (Adve 1993, chapter 6). With c servers it is also the wait for one of c
// requests that may be under way at once (Adve 1993, appendix B).
//
// Solved as a birth-death chain; what an arriving customer sees is the chain of n - 1 customers (Sevcik and
// Mitrani 1981). Cost: time linear in n, no memory.

#pragma once

#include <cstdint>

#include "core/result.h"

namespace parcast::model {

// Any unit of time, the same in think, service and all results.
struct FiniteSource {
    std::uint32_t servers = 1;
    std::uint32_t customers = 1;
    double think = 0;
    double service = 0;
};

struct FiniteSourceSolution {
    double throughput = 0;         // requests a unit of time
    double waiting_or_served = 0;  // mean number of customers at the servers
    double wait = 0;               // mean time of a request before its service
    double blocked = 0;            // probability that a request finds all servers busy
    double wait_if_blocked = 0;    // mean wait of such a request; 0 if there is none
};

// Errors: out_of_range (no server, no customer, a time that is negative or not finite, or think and service
// both 0).
Result<FiniteSourceSolution> solve(FiniteSource const& queue);

}  // namespace parcast::model
