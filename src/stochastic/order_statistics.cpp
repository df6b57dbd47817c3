#include "stochastic/order_statistics.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace parcast::stochastic {

namespace {

constexpr double first_t = -7.8;
constexpr double last_t = 7.8;
constexpr double step = 0.1;
constexpr std::size_t node_count = 157;
static_assert(node_count <= most_order_nodes);

struct HalfLineNode {
    double x;
    double log_x;
    double weight_root;
};

using HalfLine = std::array<HalfLineNode, node_count>;

HalfLine half_line() {
    HalfLine nodes{};
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        double const t = first_t + static_cast<double>(i) * step;
        double const falling = std::exp(-t);
        double const log_x = t - falling;
        double const x = std::exp(log_x);
        double const log_weight = log_x - x + std::log1p(falling) + std::log(step);
        nodes[i] = {x, log_x, std::exp(log_weight / 4)};
    }
    return nodes;
}

HalfLine const& nodes_of_half_line() {
    static HalfLine const nodes = half_line();
    return nodes;
}

// ln (1 - exp(-y)), from y = exp(log_y).
double log_of_complement(double y, double log_y) {
    if (y > 0.5)
        return std::log1p(-std::exp(-y));
    constexpr double linear = 1e-9;  // below, the next term is lost in rounding
    return y < linear ? log_y - y / 2 : log_y + std::log(-std::expm1(-y) / y);
}

OrderNode order_node(HalfLineNode const& node, double count, double log_count) {
    double const y = node.x / count;
    return {-y, log_of_complement(y, node.log_x - log_count), node.weight_root};
}

using OrderNodes = std::array<OrderNode, node_count>;

OrderNodes const& nodes_of_one() {
    static OrderNodes const nodes = [] {
        OrderNodes result{};
        std::ranges::transform(nodes_of_half_line(), result.begin(),
                               [](HalfLineNode const& node) { return order_node(node, 1, 0); });
        return result;
    }();
    return nodes;
}

std::size_t node_at(double t) {
    return static_cast<std::size_t>(std::clamp((t - first_t) / step, 0.0, double{node_count - 1}));
}

}  // namespace

std::span<OrderNode const> order_nodes(double count, double lower_power, double upper_power,
                                       std::span<OrderNode> storage) {
    // Where what is left out is below 1e-16 of the whole, powers of logarithms included.
    constexpr double enough = 52;
    std::size_t const first = node_at(-std::log(enough / std::min(1.0, 1 + upper_power)));
    std::size_t const last = node_at(std::log(enough / std::min(1.0, 1 + lower_power / count))) + 1;
    std::size_t const end = std::min(last + 1, node_count);
    if (count == 1)
        return std::span(nodes_of_one()).subspan(first, end - first);
    double const log_count = std::log(count);
    auto const& nodes = nodes_of_half_line();
    for (std::size_t i = first; i < end; ++i)
        storage[i - first] = order_node(nodes[i], count, log_count);
    return storage.first(end - first);
}

}  // namespace parcast::stochastic
