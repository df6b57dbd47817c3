#include "model/queueing/finite_source.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace parcast::model {

namespace {

// Sums over the states of the chain, not normalised.
struct Sums {
    double all = 0;
    double blocked = 0;  // all servers busy
    double ahead = 0;    // of the completions that a request arriving then waits for
};

// The chain of `population` customers, from the state in which all are at the servers down to that in which
// none is: so that thinking may take no time.
Sums sum_states(FiniteSource const& queue, std::uint32_t population) {
    constexpr double too_large = 1e200;
    Sums sums;
    double weight = 1;
    for (std::uint32_t at_servers = population;; --at_servers) {
        sums.all += weight;
        if (at_servers >= queue.servers) {
            sums.blocked += weight;
            sums.ahead += weight * (at_servers - queue.servers + 1);
        }
        if (at_servers == 0 || weight == 0)
            return sums;
        double const busy = std::min(at_servers, queue.servers);
        weight *= queue.think * busy / (queue.service * (population - at_servers + 1));
        if (weight > too_large) {
            sums = {sums.all / too_large, sums.blocked / too_large, sums.ahead / too_large};
            weight /= too_large;
        }
    }
}

bool is_time(double value) {
    return std::isfinite(value) && value >= 0;
}

}  // namespace

Result<FiniteSourceSolution> solve(FiniteSource const& queue) {
    if (queue.servers == 0 || queue.customers == 0)
        return fail(ErrorCode::out_of_range, "a queue with a finite source needs a server and a customer");
    if (!is_time(queue.think) || !is_time(queue.service) || queue.think + queue.service <= 0) {
        return fail(ErrorCode::out_of_range,
                    "a queue with a finite source needs times that are 0 or more, and not both 0");
    }
    FiniteSourceSolution solution;
    if (queue.service > 0) {
        Sums const seen = sum_states(queue, queue.customers - 1);
        solution.blocked = seen.blocked / seen.all;
        solution.wait = seen.ahead / seen.all * queue.service / queue.servers;
        solution.wait_if_blocked =
            seen.blocked > 0 ? seen.ahead / seen.blocked * queue.service / queue.servers : 0;
    }
    double const at_servers = solution.wait + queue.service;
    solution.throughput = queue.customers / (queue.think + at_servers);
    solution.waiting_or_served = solution.throughput * at_servers;
    return solution;
}

}  // namespace parcast::model
