// Expectations over the greatest of N uniform numbers: E[f(U)], where P(U <= u) = u^N. With N = 1 over a
// uniform number, which gives the moments of a law from its quantiles.
//
// -N ln U is a unit exponential variable x, so that one set of nodes in x serves every N: the
// double-exponential rule for half-lines (Takahasi and Mori 1974), x = exp(t - exp(-t)). It stands the
// logarithmic and power singularities that quantile functions have at 0 and 1. Logarithms of x are carried:
// near 0, 1 - U is far smaller than the spacing of doubles near 1.

#pragma once

#include <cstddef>
#include <span>

namespace parcast::stochastic {

struct OrderNode {
    double log_lower = 0;  // ln U
    double log_upper = 0;  // ln (1 - U)
    // The fourth root of the weight: at the ends, fourth powers of values overflow before the weight
    // underflows; value times root does not.
    double weight_root = 0;
};

inline constexpr std::size_t most_order_nodes = 200;

// The nodes that count for functions that grow no faster than U^lower_power and (1 - U)^upper_power at the
// ends, in the order of U falling. `storage` receives them where they are not those of N = 1. REQUIRES: count
// >= 1; powers > -1; storage.size() >= most_order_nodes.
std::span<OrderNode const> order_nodes(double count, double lower_power, double upper_power,
                                       std::span<OrderNode> storage);

}  // namespace parcast::stochastic
