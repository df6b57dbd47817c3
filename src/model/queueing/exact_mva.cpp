#include "model/queueing/exact_mva.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

namespace parcast::model {

namespace {

enum class Treatment : std::uint8_t { waitless, one_server, several_servers };

Treatment treatment_of(Station const& station, std::uint32_t customers) {
    if (is_waitless(station, customers))
        return Treatment::waitless;
    bool const used = station.service * station.visits > 0;
    return used && station.servers > 1 ? Treatment::several_servers : Treatment::one_server;
}

// Probabilities of a station with several servers in one of the networks that are solved at once.
struct Marginals {
    std::vector<double> held_by;  // by number of customers there, 0 to servers - 2: two or more are idle
    double customers = 0;
};

// The network with some of its stations of several servers, as it is with the customers of this step.
struct Part {
    double throughput = 0;
    std::vector<double> queues;        // mean customers, by queue with one server
    std::vector<Marginals> marginals;  // by station with several servers; of absent ones unused
};

struct Sorted {
    double fixed = 0;             // think time and demands of stations without waiting
    std::vector<double> demands;  // of queues with one server
    std::vector<Station> several;
};

Sorted sort_stations(ClosedNetwork const& network, std::uint32_t customers) {
    Sorted sorted{network.think, {}, {}};
    for (Station const& station : network.stations) {
        double const demand = station.service * station.visits;
        switch (treatment_of(station, customers)) {
            case Treatment::waitless: sorted.fixed += demand; break;
            case Treatment::one_server: sorted.demands.push_back(demand); break;
            case Treatment::several_servers: sorted.several.push_back(station); break;
        }
    }
    return sorted;
}

// Mean time in a cycle at a station with several servers: as if one server were so many times as fast, but
// for the idle ones, which cannot help.
double residence(Station const& station, Marginals const& seen) {
    double const servers = station.servers;
    double idle = 0;
    for (std::size_t j = 0; j < seen.held_by.size(); ++j)
        idle += (servers - static_cast<double>(j) - 1) * seen.held_by[j];
    return station.visits * station.service / servers * (1 + seen.customers + idle);
}

// All networks of the recursion in step: parts[mask] has the stations of several servers that are in mask.
class Recursion {
public:
    explicit Recursion(Sorted sorted) : sorted_(std::move(sorted)) {
        Part part;
        part.queues.assign(sorted_.demands.size(), 0);
        for (Station const& station : sorted_.several) {
            part.marginals.push_back({std::vector<double>(station.servers - 1, 0.0), 0});
            part.marginals.back().held_by[0] = 1;
        }
        parts_.assign(std::size_t{1} << sorted_.several.size(), part);
    }

    void add_customer() {
        ++customers_;
        for (std::size_t mask = 0; mask < parts_.size(); ++mask)
            advance(mask);
    }

    Part const& whole() const { return parts_.back(); }

private:
    void advance(std::size_t mask) {
        Part& part = parts_[mask];
        double cycle = sorted_.fixed;
        for (std::size_t k = 0; k < part.queues.size(); ++k)
            cycle += sorted_.demands[k] * (1 + part.queues[k]);
        residences_.assign(sorted_.several.size(), 0);
        for (std::size_t k = 0; k < sorted_.several.size(); ++k) {
            if ((mask >> k & 1) != 0) {
                residences_[k] = residence(sorted_.several[k], part.marginals[k]);
                cycle += residences_[k];
            }
        }
        part.throughput = customers_ / cycle;  // infinite for a part in which a cycle takes no time
        for (std::size_t k = 0; k < part.queues.size(); ++k)
            if (sorted_.demands[k] > 0)
                part.queues[k] = part.throughput * sorted_.demands[k] * (1 + part.queues[k]);
        for (std::size_t k = 0; k < sorted_.several.size(); ++k) {
            if ((mask >> k & 1) != 0) {
                double const without = parts_[mask & ~(std::size_t{1} << k)].throughput;
                part.marginals[k].customers = part.throughput * residences_[k];
                shift(part.marginals[k].held_by, sorted_.several[k], part.throughput, without);
            }
        }
    }

    // p(j | n) of p(j - 1 | n - 1), from the top down; p(0) as the header says.
    static void shift(std::vector<double>& held_by, Station const& station, double throughput,
                      double without) {
        double const load = throughput * station.visits * station.service;
        for (std::size_t j = held_by.size() - 1; j > 0; --j)
            held_by[j] = load / static_cast<double>(j) * held_by[j - 1];
        held_by[0] *= throughput / without;
    }

    Sorted sorted_;
    std::vector<Part> parts_;
    std::vector<double> residences_;
    double customers_ = 0;
};

// By station in the order of the network, of what was kept by kind.
NetworkSolution solution_of(ClosedNetwork const& network, std::uint32_t customers, Part const& part) {
    NetworkSolution solution;
    solution.throughput = part.throughput;
    auto queue = part.queues.begin();
    auto several = part.marginals.begin();
    for (Station const& station : network.stations) {
        double const visits = part.throughput * station.visits;
        double const load = visits * station.service;
        StationSolution at{station.service, load,
                           station.kind == StationKind::delay ? load : load / station.servers};
        // Where nobody waits the response stays the service to the last bit.
        Treatment const treatment = treatment_of(station, customers);
        if (treatment != Treatment::waitless) {
            at.customers = treatment == Treatment::one_server ? *queue++ : several++->customers;
            at.response = load > 0 ? at.customers / visits : station.service;
        }
        solution.response += station.visits * at.response;
        solution.stations.push_back(at);
    }
    return solution;
}

// The inner loop of what is usual: no station has several servers.
Part solve_single_servers(Sorted const& sorted, std::uint32_t customers) {
    Part part;
    part.queues.assign(sorted.demands.size(), 0);
    std::vector<double> residences(sorted.demands.size());
    for (std::uint32_t n = 1; n <= customers; ++n) {
        double cycle = sorted.fixed;
        for (std::size_t k = 0; k < residences.size(); ++k) {
            residences[k] = sorted.demands[k] * (1 + part.queues[k]);
            cycle += residences[k];
        }
        part.throughput = n / cycle;
        for (std::size_t k = 0; k < residences.size(); ++k)
            part.queues[k] = part.throughput * residences[k];
    }
    return part;
}

}  // namespace

Result<NetworkSolution> exact_mva(ClosedNetwork const& network, std::uint32_t customers) {
    if (auto sound = check(network); !sound)
        return pass_on(sound);
    if (customers == 0)
        return fail(ErrorCode::out_of_range, "a closed network needs a customer");
    auto sorted = sort_stations(network, customers);
    if (sorted.several.size() > most_multiple_servers) {
        return fail(ErrorCode::unsupported, "at most " + std::to_string(most_multiple_servers) +
                                                " stations may have several servers here; the approximate "
                                                "analysis takes any number");
    }
    if (sorted.several.empty())
        return solution_of(network, customers, solve_single_servers(sorted, customers));
    Recursion recursion(std::move(sorted));
    for (std::uint32_t n = 1; n <= customers; ++n)
        recursion.add_customer();
    return solution_of(network, customers, recursion.whole());
}

}  // namespace parcast::model
