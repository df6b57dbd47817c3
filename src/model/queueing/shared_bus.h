// A bus that processors share, as that of the Sequent Symmetry (Adve 1993, appendix B, which gives the model
// in words; the equations are ours). A processor computes for 1 / rate and then makes one request:
//
//     invalidate          -> bus, and that is all
//     read [+ write back] -> bus -> one of two memories, or the cache of another processor -> bus (response)
//
// Responses go before all else on the bus, without interrupting; at most `most_reads` reads may be under way.
// Mean value analysis with the number of processors as customers, and two approximations: priority by
// inflated service times (Bryant et al. 1984; inflating only the waiting is up to 12 % high), and the limit
// as a delay that comes from a queue M/M/c//n of its own. Within 3 % of a discrete-event simulation for two
// and more processors; at saturation it is the limit that counts. Cost: time processors^2 at most.

#pragma once

#include <cstdint>

#include "core/result.h"

namespace parcast::model {

// Any unit, the same as that of the rate and of the results. Preset: cycles of the Sequent's bus.
struct BusTimes {
    double request = 1;  // address of a read
    double invalidate = 1;
    double write_back = 2;  // data that go out with a read
    double response = 2;
    double memory = 5;
    double cache = 6;
    std::uint32_t most_reads = 3;
};

struct BusRequests {
    double rate = 0;        // of requests, per unit of CPU time
    double invalidate = 0;  // share of requests that are no reads
    double write_back = 0;  // share of reads
    double from_cache = 0;  // share of reads
};

struct BusSolution {
    double throughput = 0;       // requests of all processors
    double response = 0;         // mean time of a request
    double low = 0;              // on the bus: time of what is not a response
    double high = 0;             // and of a response
    double memory = 0;           // mean time at a memory
    double blocked = 0;          // probability that a read waits for another to end
    double wait_if_blocked = 0;  // mean time of that
    double utilisation = 0;      // of the bus
};

// Errors: out_of_range (no processor, a share outside 0..1, a time or rate that is negative, infinite or NaN,
// a rate of 0); not_converged (responses alone fill the bus, so that the approximation has no answer).
Result<BusSolution> solve_shared_bus(BusTimes const& times, BusRequests const& requests,
                                     std::uint32_t processors);

}  // namespace parcast::model
