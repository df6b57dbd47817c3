// The values that a parameter of a model, or of a network, goes through, as people write them:
//
//     P=1,2,5,10          these
//     P=1..64             1, 2, 3, ..., 64
//     t=0..1:step=0.25    0, 0.25, ..., 1
//     t=0..1:points=11    11 values at the same distance
//     P=1..1000:log       1, 2, 5, 10, 20, 50, ..., 1000
//     P=1..1000:log=30    30 values at the same ratio; between whole numbers, each whole number once
//
// or a list of them: P=1..8,16,32. Times have a unit: L=500ns,5us or L=1us..20us:log.

#pragma once

#include <span>
#include <string_view>

#include "answer/question.h"
#include "core/result.h"

namespace parcast::forecast {

// Errors: malformed (also numbers with and without a unit), out_of_range (no finite number, a range that
// falls, more than most_points values, a logarithmic range from 0 or less); the message quotes the part.
Result<Sweep> parse_sweep(std::string_view text);

// Errors: unasked (two sweeps of one parameter, more than most_points points together).
Result<void> check_axes(std::span<Sweep const> sweeps);

}  // namespace parcast::forecast
