// The tanh-sinh rule on [0, 1] (Takahasi and Mori 1974): integrals of functions that may be singular at the
// ends.

#pragma once

#include <span>

namespace parcast::stochastic {

struct UnitNode {
    double lower = 0;  // the node, and its distance from 1: each with all its digits
    double upper = 1;
    double weight = 0;
};

// Some forty: for functions that are smooth at the scale of the interval.
std::span<UnitNode const> few_unit_nodes();

// Some six hundred: for those with all that they do near an end, such as the powers of a distribution
// function.
std::span<UnitNode const> many_unit_nodes();

}  // namespace parcast::stochastic
