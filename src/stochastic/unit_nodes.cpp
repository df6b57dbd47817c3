#include "stochastic/unit_nodes.h"

#include <cmath>
#include <numbers>
#include <vector>

namespace parcast::stochastic {

namespace {

std::vector<UnitNode> tanh_sinh(int half_count, double last_t) {
    double const step = last_t / half_count;
    std::vector<UnitNode> nodes;
    for (int i = -half_count; i <= half_count; ++i) {
        double const t = i * step;
        double const s = std::numbers::pi * std::sinh(t);
        double const lower = 1 / (1 + std::exp(-s));
        double const upper = 1 / (1 + std::exp(s));
        nodes.push_back({lower, upper, step * std::numbers::pi * std::cosh(t) * lower * upper});
    }
    return nodes;
}

}  // namespace

std::span<UnitNode const> few_unit_nodes() {
    static auto const nodes = tanh_sinh(20, 3.6);
    return nodes;
}

std::span<UnitNode const> many_unit_nodes() {
    static auto const nodes = tanh_sinh(300, 4.2);
    return nodes;
}

}  // namespace parcast::stochastic
