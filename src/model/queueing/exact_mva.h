// Exact mean value analysis of closed product-form networks: what an arriving customer sees is the network
// with one customer less (Reiser and Lavenberg 1980).
//
// A station with several servers needs the probability that it is empty. The usual recursion takes it as what
// is left of 1, which cancels near saturation until it is negative. Here it comes from the network without
// that station (Reiser 1981): p(0 | n) = p(0 | n - 1) X(n) / X_without(n), which cannot cancel, at the cost
// of solving a network for each subset of such stations. With several classes the same holds for one customer
// less of any class c that visits the station, with its X_c.

#pragma once

#include <cstdint>

#include "core/result.h"
#include "model/queueing/closed_network.h"

namespace parcast::model {

inline constexpr std::uint32_t most_multiple_servers = 6;  // stations, in one network

// REQUIRES nothing: the network is checked. Errors: those of check; out_of_range for no customer;
// unsupported for more stations with several servers than most_multiple_servers.
// Cost: time customers * (stations + servers) * 2^(stations with several servers); memory without customers.
Result<NetworkSolution> exact_mva(ClosedNetwork const& network, std::uint32_t customers);

// By class (exact_classes.cpp). Errors: those of check; out_of_range where there are more populations to
// solve than most_populations: approximate_mva takes them.
// Cost: time populations * classes * (stations + servers), memory that without the subsets.
inline constexpr double most_populations = 2'000'000;
Result<std::vector<ClassSolution>> exact_mva(ClassesNetwork const& network);

// Populations that the exact analysis solves: the combinations of customers, from none to all of each class,
// in each subset of the stations with several servers at which somebody can wait.
double populations_to_solve(ClassesNetwork const& network);

}  // namespace parcast::model
