// A closed queueing network: customers think, then visit stations, and begin anew. What the mean value
// analyses (exact_mva.h, approximate_mva.h) solve, and what they answer.
//
// Assumptions of a product form (Baskett et al. 1975): (1) queues serve first come first served with
// exponential times, the same for all classes, or share the processor; (2) a delay station has a server for
// every customer and any distribution.

#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/result.h"

namespace parcast::model {

enum class StationKind : std::uint8_t {
    queue,  // customers wait for one of the servers
    delay,  // nobody waits
};

// Any unit of time, the same in a whole network and its solution.
struct Station {
    double service = 0;  // mean time of a visit at the server
    double visits = 1;   // mean number in a cycle
    StationKind kind = StationKind::queue;
    std::uint32_t servers = 1;  // of a queue
};

struct ClosedNetwork {
    double think = 0;  // mean time between cycles
    std::vector<Station> stations;
};

struct StationSolution {
    double response = 0;     // mean time of a visit, waiting and service
    double customers = 0;    // mean number there, waiting or served
    double utilisation = 0;  // mean share of a queue's servers that are busy; of a delay: customers there
};

struct NetworkSolution {
    double throughput = 0;  // cycles a unit of time
    double response = 0;    // mean time of a cycle without thinking
    std::vector<StationSolution> stations;
};

// Several classes: what a class does differs, the stations are the same. demands[class][station] is mean
// visits times mean service of a cycle.
struct ClassesNetwork {
    std::vector<double> think;                 // by class
    std::vector<std::uint32_t> customers;      // by class
    std::vector<std::vector<double>> demands;  // by class and station
    std::vector<StationKind> kinds;            // by station
    std::vector<std::uint32_t> servers = {};   // by station, of queues; empty: one each

    std::uint32_t servers_at(std::size_t station) const { return servers.empty() ? 1 : servers[station]; }
};

// Whether nobody ever waits at the station: as many servers as customers that visit it. A queue is a delay
// station then, to the last bit.
bool is_waitless(ClassesNetwork const& network, std::size_t station);
bool is_waitless(Station const& station, std::uint32_t customers);

struct ClassSolution {
    double throughput = 0;
    double response = 0;
    std::vector<double> residence;  // by station: time there in a cycle
};

// Errors: out_of_range, naming the first station and number that make no sense.
Result<void> check(ClosedNetwork const& network);
Result<void> check(ClassesNetwork const& network);

}  // namespace parcast::model
