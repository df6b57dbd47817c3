#include "symbolic/operation.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace parcast::symbolic {

namespace {

constexpr std::array functions = {
    Function{"min", Operation::minimum, 2, true},       Function{"max", Operation::maximum, 2, true},
    Function{"ceil", Operation::ceiling, 1, false},     Function{"floor", Operation::floor, 1, false},
    Function{"round", Operation::round, 1, false},      Function{"abs", Operation::absolute, 1, false},
    Function{"log2", Operation::logarithm_2, 1, false}, Function{"log", Operation::logarithm, 1, false},
    Function{"exp", Operation::exponential, 1, false},  Function{"sqrt", Operation::square_root, 1, false},
    Function{"if", Operation::choose, 3, false},
};

double remainder_with_sign_of(double divisor, double value) {
    double const remainder = std::fmod(value, divisor);
    return remainder != 0 && (remainder < 0) != (divisor < 0) ? remainder + divisor : remainder;
}

double from(bool holds) {
    return holds ? 1 : 0;
}

}  // namespace

std::optional<Function> function_named(std::string_view name) {
    auto const found = std::ranges::find(functions, name, &Function::name);
    return found == functions.end() ? std::nullopt : std::optional(*found);
}

std::size_t operands_of(Operation operation) {
    if (operation == Operation::choose)
        return 3;
    switch (operation) {
        case Operation::negate:
        case Operation::ceiling:
        case Operation::floor:
        case Operation::round:
        case Operation::absolute:
        case Operation::logarithm_2:
        case Operation::logarithm:
        case Operation::exponential:
        case Operation::square_root: return 1;
        default: return 2;
    }
}

double apply(Operation operation, double first, double second, double third) {
    switch (operation) {
        case Operation::add: return first + second;
        case Operation::subtract: return first - second;
        case Operation::multiply: return first * second;
        case Operation::divide: return first / second;
        case Operation::remainder: return remainder_with_sign_of(second, first);
        case Operation::power: return second == 2 ? first * first : std::pow(first, second);
        case Operation::less: return from(first < second);
        case Operation::less_or_equal: return from(first <= second);
        case Operation::greater: return from(first > second);
        case Operation::greater_or_equal: return from(first >= second);
        case Operation::equal: return from(first == second);
        case Operation::not_equal: return from(first != second);
        case Operation::negate: return -first;
        case Operation::minimum: return std::min(first, second);
        case Operation::maximum: return std::max(first, second);
        case Operation::ceiling: return std::ceil(first);
        case Operation::floor: return std::floor(first);
        case Operation::round: return std::round(first);
        case Operation::absolute: return std::abs(first);
        case Operation::logarithm_2: return std::log2(first);
        case Operation::logarithm: return std::log(first);
        case Operation::exponential: return std::exp(first);
        case Operation::square_root: return std::sqrt(first);
        case Operation::choose: return first != 0 ? second : third;
    }
    return std::nan("");
}

}  // namespace parcast::symbolic
