// The machine repair model as one would write it by hand: events on std::priority_queue, the waiting clients
// in a std::deque, times from <random>. What the engine of ensemble is compared with.

#pragma once

#include <cstdint>

namespace parcast::bench {

// The time at which the last of the clients has made its turns. Exponential times, one server.
double naive_clients(std::uint32_t clients, std::uint64_t turns, double think, double service,
                     std::uint64_t seed);

}  // namespace parcast::bench
