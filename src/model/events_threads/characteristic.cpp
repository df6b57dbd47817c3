#include "model/events_threads/characteristic.h"

#include <array>
#include <cmath>
#include <numbers>
#include <optional>
#include <span>
#include <utility>
#include <variant>

#include "symbolic/operation.h"

namespace parcast::model {

namespace {

using symbolic::Operation;

constexpr std::string_view threads_name = "P";

// f(inner), from f and its derivatives there.
Jet chain(double value, double slope, double curvature, Jet const& inner) {
    return {value, slope * inner.slope, curvature * inner.slope * inner.slope + slope * inner.curvature};
}

bool is_constant(Jet const& jet) {
    return jet.slope == 0 && jet.curvature == 0;
}

Jet product(Jet const& a, Jet const& b) {
    return {a.value * b.value, a.slope * b.value + a.value * b.slope,
            a.curvature * b.value + 2 * a.slope * b.slope + a.value * b.curvature};
}

Jet logarithm(Jet const& a) {
    return chain(std::log(a.value), 1 / a.value, -1 / (a.value * a.value), a);
}

Jet to_constant_power(Jet const& base, double power, double value) {
    if (power == 0)
        return {1, 0, 0};
    double const slope = power == 1 ? 1 : power * std::pow(base.value, power - 1);
    double const curvature = power == 1   ? 0
                             : power == 2 ? 2
                                          : power * (power - 1) * std::pow(base.value, power - 2);
    return chain(value, slope, curvature, base);
}

// a^b = e^(b ln a)
Jet to_power(Jet const& base, Jet const& power, double value) {
    if (is_constant(power))
        return to_constant_power(base, power.value, value);
    return chain(value, value, value, product(power, logarithm(base)));
}

// What has steps has the slope 0 between them.
Jet apply(Operation operation, Jet const& a, Jet const& b, Jet const& c) {
    double const value = symbolic::apply(operation, a.value, b.value, c.value);
    switch (operation) {
        case Operation::add: return {value, a.slope + b.slope, a.curvature + b.curvature};
        case Operation::subtract: return {value, a.slope - b.slope, a.curvature - b.curvature};
        case Operation::negate: return {value, -a.slope, -a.curvature};
        case Operation::multiply: return product(a, b);
        case Operation::divide: {
            auto quotient = product(a, to_constant_power(b, -1, 1 / b.value));
            quotient.value = value;
            return quotient;
        }
        case Operation::remainder: {
            double const whole = std::floor(a.value / b.value);
            return {value, a.slope - whole * b.slope, a.curvature - whole * b.curvature};
        }
        case Operation::power: return to_power(a, b, value);
        case Operation::minimum: return b.value < a.value ? b : a;
        case Operation::maximum: return a.value < b.value ? b : a;
        case Operation::absolute: return a.value < 0 ? Jet{value, -a.slope, -a.curvature} : a;
        case Operation::logarithm: return logarithm(a);
        case Operation::logarithm_2:
            return chain(value, std::numbers::log2e / a.value, -std::numbers::log2e / (a.value * a.value), a);
        case Operation::exponential: return chain(value, value, value, a);
        case Operation::square_root: return to_constant_power(a, 0.5, value);
        case Operation::choose: return a.value != 0 ? b : c;
        default: return {value, 0, 0};  // comparisons and roundings
    }
}

}  // namespace

Result<Characteristic> Characteristic::parse(std::string_view text, symbolic::Parameters const& parameters) {
    auto const formula = symbolic::Formula::parse(text);
    if (!formula)
        return pass_on(formula);
    Characteristic characteristic;
    characteristic.text_ = formula->text();
    for (auto const& term : formula->postfix()) {
        auto const* const index = std::get_if<symbolic::ParameterIndex>(&term);
        auto const* const name = index ? &formula->parameters()[index->value] : nullptr;
        if (!name || *name == threads_name) {
            characteristic.postfix_.push_back(term);
        } else if (auto const value = parameters.find(*name)) {
            characteristic.postfix_.emplace_back(*value);
        } else {
            return fail(make_error(ErrorCode::not_found,
                                   "the formula '" + formula->text() + "' has the name '" + *name +
                                       "': it is a formula of P, the number of threads",
                                   "Such as P^2."));
        }
    }
    return characteristic;
}

Jet Characteristic::at(double threads) const {
    std::array<Jet, symbolic::Formula::most_values> values;
    std::size_t size = 0;
    for (auto const& term : postfix_) {
        if (auto const* number = std::get_if<double>(&term)) {
            values[size++] = {*number, 0, 0};
        } else if (auto const* operation = std::get_if<Operation>(&term)) {
            auto const operands = symbolic::operands_of(*operation);
            size -= operands;
            auto const operand = [&](std::size_t position) {
                return position < operands ? values[size + position] : Jet{};
            };
            values[size] = apply(*operation, operand(0), operand(1), operand(2));
            ++size;
        } else {
            values[size++] = {threads, 1, 0};
        }
    }
    return values[0];
}

GrowthWords words_of(Growth growth) {
    switch (growth) {
        case Growth::constant:
            return {"constant",
                    "embarrassingly parallel: the number of events does not grow with the threads"};
        case Growth::below_linear:
            return {"below linear",
                    "less than linear: each thread has the fewer events the more threads there are"};
        case Growth::linear:
            return {
                "linear",
                "linear, optimal in the sense of the 1990 report: each thread has as many events, however "
                "many threads there are"};
        case Growth::above_linear:
            return {"above linear",
                    "more than linear: each thread has the more events the more threads there are"};
        case Growth::quadratic:
            return {"quadratic", "quadratic: each thread has events in proportion to the number of threads"};
        case Growth::polynomial:
            return {"polynomial", "more than quadratic: many threads pay only if there is very much work"};
        case Growth::exponential:
            return {"exponential", "exponential: there is little hope that many threads are ever efficient"};
    }
    return {};
}

Growth growth_of(Characteristic const& characteristic) {
    // P g' / g: the exponent, where g is a power.
    auto const exponent = [&](double threads) -> std::optional<double> {
        auto const jet = characteristic.at(threads);
        double const value = jet.slope == 0 ? 0 : threads * jet.slope / jet.value;
        return std::isfinite(jet.value) && std::isfinite(value) ? std::optional(value) : std::nullopt;
    };
    constexpr double equal = 1e-9;
    for (double const threads : {1e150, 1e100, 1e75, 1e50, 1e35, 1e25, 1e18, 1e15, 1e12, 1e9, 1e7,
                                 1e6,   1e5,   1e4,  3e3,  1e3,  3e2,  1e2,  30.0, 10.0, 4.0}) {
        auto const far = exponent(threads);
        auto const near = exponent(threads / 2);
        if (!far || !near)
            continue;
        constexpr double beyond_powers = 1.02;  // of a power it is the same everywhere
        if (*far > 3 && *far > beyond_powers * *near)
            return Growth::exponential;
        if (std::abs(*far) < equal)
            return Growth::constant;
        if (std::abs(*far - 1) < equal)
            return Growth::linear;
        if (std::abs(*far - 2) < equal)
            return Growth::quadratic;
        return *far < 1 ? Growth::below_linear : *far < 2 ? Growth::above_linear : Growth::polynomial;
    }
    return Growth::exponential;  // more than any double holds, from a few threads on
}

}  // namespace parcast::model
