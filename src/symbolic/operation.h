// The operations of formulas: their names, what they take, and what they give. All are total on doubles: a
// division by zero gives infinity and the root of -1 no number, and who evaluates a formula asks whether its
// value is finite. Comparisons give 1 or 0.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace parcast::symbolic {

enum class Operation : std::uint8_t {
    add,
    subtract,
    multiply,
    divide,
    remainder,  // with the sign of the divisor, so that i % n counts around for every i
    power,
    less,
    less_or_equal,
    greater,
    greater_or_equal,
    equal,
    not_equal,
    negate,
    minimum,
    maximum,
    ceiling,
    floor,
    round,  // half away from zero
    absolute,
    logarithm_2,
    logarithm,  // natural
    exponential,
    square_root,
    choose,  // if(condition, value, otherwise)
};

// An operation that is written as a call: "ceil(x)".
struct Function {
    std::string_view name;
    Operation operation;
    std::size_t operands;
    bool takes_more;  // min and max
};

std::optional<Function> function_named(std::string_view name);

std::size_t operands_of(Operation operation);  // 1, 2 or 3

// `second` and `third` are 0 where they are not used.
double apply(Operation operation, double first, double second, double third);

}  // namespace parcast::symbolic
