#include "model/queueing/closed_network.h"

#include <cmath>
#include <string>

namespace parcast::model {

namespace {

bool is_quantity(double value) {
    return std::isfinite(value) && value >= 0;
}

tl::unexpected<Error> refuse(std::string const& what, char const* why) {
    return fail(ErrorCode::out_of_range, what + " " + why);
}

}  // namespace

bool is_waitless(Station const& station, std::uint32_t customers) {
    return station.kind == StationKind::delay || station.servers >= customers;
}

bool is_waitless(ClassesNetwork const& network, std::size_t station) {
    std::uint64_t visitors = 0;
    for (std::size_t c = 0; c < network.customers.size(); ++c)
        visitors += network.demands[c][station] > 0 ? network.customers[c] : 0;
    return network.kinds[station] == StationKind::delay || network.servers_at(station) >= visitors;
}

Result<void> check(ClosedNetwork const& network) {
    constexpr char const* quantity = "is negative or not a finite number";
    if (!is_quantity(network.think))
        return refuse("the think time", quantity);
    double cycle = network.think;
    for (std::size_t i = 0; i < network.stations.size(); ++i) {
        Station const& station = network.stations[i];
        std::string const name = "station " + std::to_string(i + 1);
        if (!is_quantity(station.service))
            return refuse("the service time of " + name, quantity);
        if (!is_quantity(station.visits))
            return refuse("the number of visits to " + name, quantity);
        if (station.servers == 0)
            return refuse(name, "has no server");
        cycle += station.service * station.visits;
    }
    if (!std::isfinite(cycle) || cycle <= 0)
        return refuse("a cycle of the network", "takes no time, or no finite time");
    return {};
}

Result<void> check(ClassesNetwork const& network) {
    auto const classes = network.customers.size();
    if (network.think.size() != classes || network.demands.size() != classes)
        return fail(ErrorCode::inconsistent, "think times, customers and demands differ in their classes");
    if (!network.servers.empty() && network.servers.size() != network.kinds.size())
        return fail(ErrorCode::inconsistent, "the numbers of servers are not one a station");
    for (std::size_t k = 0; k < network.servers.size(); ++k)
        if (network.servers[k] == 0)
            return refuse("station " + std::to_string(k + 1), "has no server");
    for (std::size_t c = 0; c < classes; ++c) {
        std::string const name = "class " + std::to_string(c + 1);
        if (network.demands[c].size() != network.kinds.size())
            return fail(ErrorCode::inconsistent, "the demands of " + name + " are not one a station");
        double cycle = network.think[c];
        for (double const demand : network.demands[c]) {
            if (!is_quantity(demand))
                return refuse("a demand of " + name, "is negative or not a finite number");
            cycle += demand;
        }
        if (!is_quantity(network.think[c]) || !std::isfinite(cycle) || cycle <= 0)
            return refuse("a cycle of " + name, "takes no time, or no finite time");
    }
    return {};
}

}  // namespace parcast::model
