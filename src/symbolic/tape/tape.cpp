#include "symbolic/tape/tape.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace parcast::symbolic {

namespace {

std::string text_of(double number) {
    std::array<char, 32> digits;
    auto const written = std::to_chars(digits.data(), digits.data() + digits.size(), number);
    return {digits.data(), written.ptr};
}

// Replaces the operands at the end of `values` by the result.
void apply_to(std::array<double, Formula::most_values>& values, std::size_t& size, Operation operation) {
    auto const operands = operands_of(operation);
    size -= operands;
    auto const operand = [&](std::size_t position) {
        return position < operands ? values[size + position] : 0;
    };
    values[size] = apply(operation, operand(0), operand(1), operand(2));
    ++size;
}

}  // namespace

Result<Tape> Tape::bind(Formula const& formula, Parameters const& parameters,
                        std::span<std::string_view const> indices) {
    Tape tape;
    tape.text_ = formula.text();
    tape.index_names_.assign(indices.begin(), indices.end());
    for (auto const& term : formula.postfix()) {
        if (auto const* number = std::get_if<double>(&term)) {
            tape.steps_.push_back({StepKind::number, {}, 0, *number});
        } else if (auto const* operation = std::get_if<Operation>(&term)) {
            tape.append(*operation);
        } else {
            auto const& name = formula.parameters()[std::get<ParameterIndex>(term).value];
            auto const index = std::ranges::find(indices, name);
            auto const value = parameters.find(name);
            if (index != indices.end()) {
                auto const position = static_cast<std::uint32_t>(index - indices.begin());
                tape.steps_.push_back({StepKind::index, {}, position, 0});
            } else if (value) {
                tape.steps_.push_back({StepKind::number, {}, 0, *value});
            } else {
                return tl::unexpected(unbound(formula, name, parameters));
            }
        }
    }
    return tape;
}

// What is done with numbers alone is done here.
void Tape::append(Operation operation) {
    auto const operands = operands_of(operation);
    auto const first = steps_.size() - operands;
    auto const is_number = [](Step const& step) { return step.kind == StepKind::number; };
    if (!std::all_of(steps_.end() - static_cast<std::ptrdiff_t>(operands), steps_.end(), is_number)) {
        steps_.push_back({StepKind::operation, operation, 0, 0});
        return;
    }
    auto const operand = [&](std::size_t position) {
        return position < operands ? steps_[first + position].number : 0;
    };
    double const value = apply(operation, operand(0), operand(1), operand(2));
    steps_.resize(first);
    steps_.push_back({StepKind::number, {}, 0, value});
}

Result<double> Tape::evaluate(std::span<double const> indices) const {
    double const result = value(indices);
    if (std::isfinite(result))
        return result;
    std::string where;
    for (std::size_t index = 0; index < index_names_.size(); ++index)
        where += (index == 0 ? " with " : ", ") + index_names_[index] + " = " + text_of(indices[index]);
    return fail(ErrorCode::out_of_range, "the formula '" + text_ + "' gives " +
                                             (std::isnan(result) ? "no number" : "infinity") + where);
}

double Tape::value(std::span<double const> indices) const {
    std::array<double, Formula::most_values> values;
    std::size_t size = 0;
    for (auto const& step : steps_) {
        switch (step.kind) {
            case StepKind::number: values[size++] = step.number; break;
            case StepKind::index: values[size++] = indices[step.index]; break;
            case StepKind::operation: apply_to(values, size, step.operation); break;
        }
    }
    return values[0];
}

}  // namespace parcast::symbolic
