// Approximate mean value analysis: instead of the network with one customer less it takes the queues in
// proportion (Schweitzer 1979, Bard 1979), so that the cost does not grow with the customers. Exact for one
// customer and in the limit of many; for a few customers near saturation the throughput is some 5 % low. A
// queue with c servers is a queue of one that is c times as fast, and a delay (Seidmann, Schweitzer and
// Shalev-Oren 1987); where nobody can wait it is a delay alone.

#pragma once

#include <cstdint>
#include <vector>

#include "core/result.h"
#include "model/queueing/closed_network.h"

namespace parcast::model {

struct Convergence {
    double tolerance = 1e-10;  // largest change of a queue in a step, relative to the customers
    std::uint32_t most_steps = 10'000;
};

// Errors: those of check; out_of_range for no customer; not_converged, with the residual.
// Cost: time steps * stations; 100 to 200 steps are usual.
Result<NetworkSolution> approximate_mva(ClosedNetwork const& network, std::uint32_t customers,
                                        Convergence const& convergence = {});

// By class; of a class without customers all is 0. Cost: time steps * classes * stations.
Result<std::vector<ClassSolution>> approximate_mva(ClassesNetwork const& network,
                                                   Convergence const& convergence = {});

}  // namespace parcast::model
