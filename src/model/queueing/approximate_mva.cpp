#include "model/queueing/approximate_mva.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace parcast::model {

namespace {

// What of a visit is spent in a queue of one server; the rest is a delay.
double queued_part(Station const& station, std::uint32_t customers) {
    return is_waitless(station, customers) ? 0 : station.service / station.servers;
}

// The network in which that is so; residences in it lack the delays.
ClassesNetwork with_one_server_each(ClassesNetwork network) {
    for (std::size_t k = 0; k < network.kinds.size(); ++k) {
        double const share = is_waitless(network, k) ? 0 : 1.0 / network.servers_at(k);
        for (std::size_t c = 0; c < network.think.size(); ++c) {
            double const demand = network.demands[c][k];
            network.demands[c][k] = demand * share;
            network.think[c] += demand - network.demands[c][k];
        }
    }
    network.kinds.assign(network.kinds.size(), StationKind::queue);
    network.servers.clear();
    return network;
}

void add_delays(ClassesNetwork const& network, ClassesNetwork const& one_server_each,
                std::vector<ClassSolution>& solution) {
    for (std::size_t c = 0; c < solution.size(); ++c) {
        if (network.customers[c] == 0)
            continue;
        for (std::size_t k = 0; k < network.kinds.size(); ++k)
            solution[c].residence[k] += network.demands[c][k] - one_server_each.demands[c][k];
        solution[c].response += one_server_each.think[c] - network.think[c];
    }
}

tl::unexpected<Error> no_convergence(double residual, Convergence const& convergence) {
    return fail(ErrorCode::not_converged, "the approximate analysis still changes by " +
                                              std::to_string(residual) + " of the customers after " +
                                              std::to_string(convergence.most_steps) + " steps");
}

// The network as one step of the iteration sees it.
struct Iterate {
    double throughput = 0;
    std::vector<double> queues;
    double change = 0;  // of a queue in the last step
};

void step(Iterate& now, std::vector<double> const& demands, double fixed, double customers) {
    double const others = (customers - 1) / customers;
    double cycle = fixed;
    for (std::size_t k = 0; k < demands.size(); ++k)
        cycle += demands[k] * (1 + others * now.queues[k]);
    now.throughput = customers / cycle;
    now.change = 0;
    for (std::size_t k = 0; k < demands.size(); ++k) {
        double const queue = now.throughput * demands[k] * (1 + others * now.queues[k]);
        now.change = std::max(now.change, std::abs(queue - now.queues[k]));
        now.queues[k] = queue;
    }
}

NetworkSolution solution_of(ClosedNetwork const& network, std::uint32_t customers, Iterate const& last) {
    NetworkSolution solution;
    solution.throughput = last.throughput;
    for (std::size_t k = 0; k < network.stations.size(); ++k) {
        Station const& station = network.stations[k];
        double const visits = last.throughput * station.visits;
        double const load = visits * station.service;
        double const present = last.queues[k] + visits * (station.service - queued_part(station, customers));
        solution.stations.push_back({load > 0 ? present / visits : station.service, present,
                                     station.kind == StationKind::delay ? load : load / station.servers});
        solution.response += station.visits * solution.stations.back().response;
    }
    return solution;
}

// Queues by class and station.
using ClassQueues = std::vector<std::vector<double>>;

ClassQueues even_start(ClassesNetwork const& network) {
    ClassQueues queues;
    for (std::size_t c = 0; c < network.customers.size(); ++c) {
        double const stations = static_cast<double>(std::max<std::size_t>(1, network.kinds.size()));
        queues.emplace_back(network.kinds.size(), network.customers[c] / stations);
    }
    return queues;
}

ClassSolution class_step(ClassesNetwork const& network, std::size_t c, ClassQueues const& queues,
                         std::vector<double> const& total) {
    double const customers = network.customers[c];
    ClassSolution solution;
    for (std::size_t k = 0; k < network.kinds.size(); ++k) {
        double const seen = total[k] - queues[c][k] / customers;
        solution.residence.push_back(network.demands[c][k] * (1 + seen));
        solution.response += solution.residence.back();
    }
    solution.throughput = customers / (network.think[c] + solution.response);
    return solution;
}

}  // namespace

Result<NetworkSolution> approximate_mva(ClosedNetwork const& network, std::uint32_t customers,
                                        Convergence const& convergence) {
    if (auto sound = check(network); !sound)
        return pass_on(sound);
    if (customers == 0)
        return fail(ErrorCode::out_of_range, "a closed network needs a customer");
    std::vector<double> demands;
    double fixed = network.think;
    for (Station const& station : network.stations) {
        demands.push_back(station.visits * queued_part(station, customers));
        fixed += station.visits * (station.service - queued_part(station, customers));
    }
    Iterate now{
        0,
        std::vector<double>(demands.size(), customers / std::max(1.0, static_cast<double>(demands.size()))),
        0};
    for (std::uint32_t steps = 0; steps < convergence.most_steps; ++steps) {
        step(now, demands, fixed, customers);
        if (now.change <= convergence.tolerance * customers)
            return solution_of(network, customers, now);
    }
    return no_convergence(now.change / customers, convergence);
}

Result<std::vector<ClassSolution>> approximate_mva(ClassesNetwork const& asked,
                                                   Convergence const& convergence) {
    if (auto sound = check(asked); !sound)
        return pass_on(sound);
    auto const network = with_one_server_each(asked);
    ClassQueues queues = even_start(network);
    std::vector<ClassSolution> solution(network.customers.size());
    double change = 0;
    for (std::uint32_t steps = 0; steps < convergence.most_steps; ++steps) {
        std::vector<double> total(network.kinds.size(), 0);
        for (auto const& of_class : queues)
            for (std::size_t k = 0; k < total.size(); ++k)
                total[k] += of_class[k];
        change = 0;
        for (std::size_t c = 0; c < solution.size(); ++c) {
            if (network.customers[c] == 0)
                continue;
            solution[c] = class_step(network, c, queues, total);
            for (std::size_t k = 0; k < total.size(); ++k) {
                double const queue = solution[c].throughput * solution[c].residence[k];
                change = std::max(change, std::abs(queue - queues[c][k]) / network.customers[c]);
                queues[c][k] = queue;
            }
        }
        if (change <= convergence.tolerance) {
            add_delays(asked, network, solution);
            return solution;
        }
    }
    return no_convergence(change, convergence);
}

}  // namespace parcast::model
