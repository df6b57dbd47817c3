#include "model/queueing/shared_bus.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "model/queueing/finite_source.h"

namespace parcast::model {

namespace {

constexpr double memories = 2;

// For one request of the average kind.
struct Visits {
    double low_service;
    double reads;       // responses, too
    double one_memory;  // visits to each of them
    double cache;
};

Visits visits_of(BusTimes const& times, BusRequests const& requests) {
    double const reads = 1 - requests.invalidate;
    return {requests.invalidate * times.invalidate +
                reads * (times.request + requests.write_back * times.write_back),
            reads, reads * (1 - requests.from_cache) / memories, reads * requests.from_cache};
}

// Mean customers and utilisation with one processor less: what a request finds.
struct Found {
    double low = 0, high = 0, memory = 0;
    double busy_low = 0, busy_high = 0;
};

// With n processors, the wait of a read for one of those under way; from the solution with n - 1.
Result<void> limit_reads(BusTimes const& times, BusRequests const& requests, Visits const& visits,
                         double cycle, std::uint32_t processors, BusSolution& solution) {
    double const under_way = times.request + solution.high + (1 - requests.from_cache) * solution.memory +
                             requests.from_cache * times.cache;
    double const between = cycle / visits.reads - solution.blocked * solution.wait_if_blocked - under_way;
    auto const queue = solve(FiniteSource{times.most_reads, processors, std::max(0.0, between), under_way});
    if (!queue)
        return pass_on(queue);
    solution.blocked = queue->blocked;
    solution.wait_if_blocked = queue->wait_if_blocked;
    return {};
}

bool is_time(double value) {
    return std::isfinite(value) && value >= 0;
}

Result<void> check(BusTimes const& times, BusRequests const& requests, std::uint32_t processors) {
    std::array const all{times.request,  times.invalidate, times.write_back,
                         times.response, times.memory,     times.cache};
    std::array const shares{requests.invalidate, requests.write_back, requests.from_cache};
    if (processors == 0 || times.most_reads == 0) {
        return fail(ErrorCode::out_of_range,
                    "a shared bus needs a processor, and a read that it lets through");
    }
    if (!std::ranges::all_of(all, is_time) || !is_time(requests.rate) || requests.rate <= 0) {
        return fail(ErrorCode::out_of_range,
                    "a shared bus needs finite times of 0 or more and a rate above 0");
    }
    if (!std::ranges::all_of(shares, [](double share) { return share >= 0 && share <= 1; }))
        return fail(ErrorCode::out_of_range, "a share of the requests to a bus is not within 0 and 1");
    return {};
}

}  // namespace

Result<BusSolution> solve_shared_bus(BusTimes const& times, BusRequests const& requests,
                                     std::uint32_t processors) {
    if (auto sound = check(times, requests, processors); !sound)
        return pass_on(sound);
    Visits const visits = visits_of(times, requests);
    double const think = 1 / requests.rate;
    BusSolution solution;
    Found found;
    double cycle = 0;
    for (std::uint32_t n = 1; n <= processors; ++n) {
        if (found.busy_high >= 1) {
            return fail(ErrorCode::not_converged,
                        "responses alone would fill the bus: this model of its priorities has no answer");
        }
        if (n > times.most_reads && visits.reads > 0) {
            if (auto limited = limit_reads(times, requests, visits, cycle, n, solution); !limited)
                return pass_on(limited);
        }
        solution.high = times.response * (1 + found.high) + found.busy_low * visits.low_service;
        // Served as slowly as if the bus were there only between responses.
        solution.low = visits.low_service / (1 - found.busy_high) * (1 + found.low);
        solution.memory = times.memory * (1 + found.memory);
        solution.response = solution.low + memories * visits.one_memory * solution.memory +
                            visits.cache * times.cache +
                            visits.reads * (solution.high + solution.blocked * solution.wait_if_blocked);
        cycle = think + solution.response;
        solution.throughput = n / cycle;
        found = {solution.throughput * solution.low, solution.throughput * visits.reads * solution.high,
                 solution.throughput * visits.one_memory * solution.memory,
                 solution.throughput * visits.low_service,
                 solution.throughput * visits.reads * times.response};
    }
    solution.utilisation = found.busy_low + found.busy_high;
    return solution;
}

}  // namespace parcast::model
