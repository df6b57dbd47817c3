// Exact mean value analysis of closed product-form networks: what an arriving customer sees is the network
// with one customer less (Reiser and Lavenberg 1980).
//
// A station with several servers needs the probability that it is empty. The usual recursion takes it as what
// is left of 1, which cancels near saturation until it is negative. Here it comes from the network without
// that station (Reiser 1981): p(0 | n) = p(0 | n - 1) X(n) / X_without(n), which cannot cancel, at the cost
// of solving a network for each subset of such stations.

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

// By class. Errors: those of check; out_of_range where the numbers of customers have more than
// most_populations combinations: approximate_mva takes them.
// Cost: time and memory combinations * classes * stations.
inline constexpr std::uint64_t most_populations = 2'000'000;
Result<std::vector<ClassSolution>> exact_mva(ClassesNetwork const& network);

}  // namespace parcast::model
