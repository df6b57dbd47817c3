#include "model/queueing/shared_network.h"

#include <algorithm>
#include <utility>

#include "model/queueing/approximate_mva.h"
#include "model/queueing/exact_mva.h"

namespace parcast::model {

namespace {

// A set of running tasks is solved in a millisecond at most; an execution meets thousands of sets.
constexpr std::uint32_t most_exact_customers = 10'000;
constexpr double most_exact_populations = 16'384;

// Running classes that visit a station, and their places among all running ones.
struct Visitors {
    std::vector<std::size_t> places;
    std::vector<ClassUse const*> uses;
    std::vector<std::uint32_t> tasks;
};

Visitors visitors_among(std::vector<ClassUse> const& uses, std::span<RunningClass const> running) {
    Visitors visitors;
    for (std::size_t i = 0; i < running.size(); ++i) {
        ClassUse const& use = uses[running[i].klass];
        if (use.alone > 0) {
            visitors.places.push_back(i);
            visitors.uses.push_back(&use);
            visitors.tasks.push_back(running[i].tasks);
        }
    }
    return visitors;
}

ClosedNetwork network_of(std::vector<Server> const& servers, ClassUse const& use) {
    ClosedNetwork network{use.think, {}};
    for (std::size_t k = 0; k < servers.size(); ++k) {
        network.stations.push_back(
            {servers[k].service_ns, use.rates[k], servers[k].kind, servers[k].servers});
    }
    return network;
}

ClassesNetwork network_of(std::vector<Server> const& servers, Visitors const& visitors) {
    ClassesNetwork network;
    network.customers = visitors.tasks;
    for (ClassUse const* const use : visitors.uses) {
        network.think.push_back(use->think);
        auto& demands = network.demands.emplace_back();
        for (std::size_t k = 0; k < servers.size(); ++k)
            demands.push_back(use->rates[k] * servers[k].service_ns);
    }
    for (Server const& server : servers) {
        network.kinds.push_back(server.kind);
        network.servers.push_back(server.servers);
    }
    return network;
}

bool is_small(ClosedNetwork const& network, std::uint32_t tasks) {
    auto const several = std::ranges::count_if(network.stations, [&](Station const& station) {
        return station.servers > 1 && !is_waitless(station, tasks);
    });
    return tasks <= most_exact_customers && several <= most_multiple_servers;
}

bool is_small(ClassesNetwork const& network) {
    return populations_to_solve(network) <= most_exact_populations;
}

double delay_by(ClassUse const& use, double response) {
    return std::max(use.alone, response) - use.in_cpu_time;
}

}  // namespace

std::vector<Server> servers_of(SharedResources const& resources) {
    std::vector<Server> servers;
    if (resources.memory) {
        Memory const& memory = *resources.memory;
        servers.push_back(
            {"memory.rate", memory.transfer_ns(), memory.channels, StationKind::queue, memory.uncontended});
        if (memory.uncontended == UncontendedTime::added && memory.latency_ns > memory.transfer_ns()) {
            servers.push_back({"memory.rate", memory.latency_ns - memory.transfer_ns(), 1, StationKind::delay,
                               UncontendedTime::added});
        }
    }
    for (SharedStation const& station : resources.stations) {
        servers.push_back({station.name + ".rate", station.service_ns, station.servers,
                           station.waits ? StationKind::queue : StationKind::delay, station.uncontended});
    }
    return servers;
}

ClassUse use_of(std::vector<Server> const& servers, std::vector<double> rates) {
    ClassUse use;
    for (std::size_t k = 0; k < servers.size(); ++k) {
        double const demand = rates[k] * servers[k].service_ns;
        use.alone += demand;
        use.in_cpu_time += servers[k].uncontended == UncontendedTime::in_cpu_time ? demand : 0;
    }
    use.think = 1 - use.in_cpu_time;
    use.rates = std::move(rates);
    return use;
}

Result<double> delay_of_one_class(std::vector<Server> const& servers, ClassUse const& use,
                                  std::uint32_t tasks) {
    auto const network = network_of(servers, use);
    auto const solved =
        is_small(network, tasks) ? exact_mva(network, tasks) : approximate_mva(network, tasks);
    if (!solved)
        return pass_on(solved);
    return delay_by(use, solved->response);
}

Result<void> solve_stations(std::vector<Server> const& servers, std::vector<ClassUse> const& uses,
                            std::span<RunningClass const> running, std::span<double> delay) {
    std::ranges::fill(delay, 0);
    auto const visitors = visitors_among(uses, running);
    if (visitors.places.empty())
        return {};
    if (visitors.places.size() == 1) {
        auto const alone = delay_of_one_class(servers, *visitors.uses.front(), visitors.tasks.front());
        if (!alone)
            return pass_on(alone);
        delay[visitors.places.front()] = *alone;
        return {};
    }
    auto const network = network_of(servers, visitors);
    auto const solved = is_small(network) ? exact_mva(network) : approximate_mva(network);
    if (!solved)
        return pass_on(solved);
    for (std::size_t i = 0; i < visitors.places.size(); ++i)
        delay[visitors.places[i]] = delay_by(*visitors.uses[i], (*solved)[i].response);
    return {};
}

bool is_solved_exactly(std::vector<Server> const& servers, std::vector<ClassUse> const& uses,
                       std::span<RunningClass const> running) {
    auto const visitors = visitors_among(uses, running);
    if (visitors.places.empty())
        return true;
    return visitors.places.size() == 1
               ? is_small(network_of(servers, *visitors.uses.front()), visitors.tasks.front())
               : is_small(network_of(servers, visitors));
}

}  // namespace parcast::model
