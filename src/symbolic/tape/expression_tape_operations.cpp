// Steps of operations on times and vectors.

#include "symbolic/tape/expression_tape_compiler.h"

namespace parcast::symbolic {

ExpressionTape::Register ExpressionTape::Compiler::operation_on_times(Expression expression) {
    auto const operands = operands_of(expression);
    switch (pool_.kind(expression)) {
        case ExpressionKind::moments: return given_moments(operands);
        case ExpressionKind::add: {
            auto result = Register{Bank::time, time_of(operands.front())};
            for (auto const operand : std::span(operands).subspan(1)) {
                auto const next = time_of(operand);
                result = emit(Action::time_add, new_register(Bank::time), result.place, next);
            }
            return result;
        }
        case ExpressionKind::repeat: {
            auto const count = time_of(operands[0]);
            auto const each = time_of(operands[1]);
            return emit(Action::time_repeat, new_register(Bank::time), count, each);
        }
        case ExpressionKind::negate: {
            auto const time = time_of(operands[0]);
            return emit(Action::time_scale, new_register(Bank::time), constant(-1).place, time);
        }
        case ExpressionKind::scale: {
            auto const factor = number_of(operands[0]);
            auto const time = time_of(operands[1]);
            return emit(Action::time_scale, new_register(Bank::time), factor, time);
        }
        case ExpressionKind::maximum: return maximum_of_times(operands);
        case ExpressionKind::branch: {
            auto const condition = time_of(operands[0]);
            auto const then = time_of(operands[1]);
            auto const otherwise = time_of(operands[2]);
            return emit(Action::time_branch, new_register(Bank::time), condition, then, otherwise);
        }
        default:
            return refuse(ErrorCode::inconsistent,
                          "'" + text_of(pool_, expression) + "' is not defined for a random quantity",
                          expression);
    }
}

ExpressionTape::Register ExpressionTape::Compiler::given_moments(std::vector<Expression> const& operands) {
    std::vector<std::uint32_t> given;
    for (auto const operand : operands)
        given.push_back(number_of(operand));
    auto const first = static_cast<std::uint32_t>(tape_.numbers_.size());
    for (auto const number : given)
        emit(Action::copy_number, new_register(Bank::number), number);
    return emit(Action::time_of_moments, new_register(Bank::time), first);
}

// The same expression twice: two of one law, at once.
ExpressionTape::Register ExpressionTape::Compiler::maximum_of_times(std::vector<Expression> operands) {
    std::optional<Register> result;
    while (!operands.empty()) {
        auto const each = operands.front();
        auto const count = std::erase(operands, each);
        auto next = Register{Bank::time, time_of(each)};
        if (count > 1) {
            auto const number = constant(static_cast<double>(count));
            next = emit(Action::time_maximum_of, new_register(Bank::time), number.place, next.place);
        }
        result =
            result ? emit(Action::time_maximum, new_register(Bank::time), result->place, next.place) : next;
    }
    return *result;
}

ExpressionTape::Register ExpressionTape::Compiler::operation_on_vectors(Expression expression) {
    auto const operands = operands_of(expression);
    auto const result = [&] { return new_register(Bank::vector); };
    switch (pool_.kind(expression)) {
        case ExpressionKind::vector: return given_vector(operands);
        case ExpressionKind::unit_vector: return unit(operands[0]);
        case ExpressionKind::add: {
            std::vector<std::uint32_t> parts;
            for (auto const operand : operands)
                parts.push_back(vector_of(operand));
            auto const sum = emit(Action::vector_clear, result());
            for (auto const part : parts)
                emit(Action::vector_add, sum, part);
            return sum;
        }
        case ExpressionKind::negate: return scaled_vector(constant(-1).place, operands[0]);
        case ExpressionKind::multiply:
        case ExpressionKind::repeat:
            if (pool_.kind(expression) == ExpressionKind::repeat && pool_.is_vector(operands[1])) {
                auto const count = time_of(operands[0]);
                auto const each = vector_of(operands[1]);
                return emit(Action::vector_repeat, result(), count, each);
            }
            return product(expression, operands);
        case ExpressionKind::scale: return scaled_vector(number_of(operands[0]), operands[1]);
        case ExpressionKind::divide: {
            auto const one = constant(1);
            auto const factor = emit_number(ExpressionKind::divide, one.place, number_of(operands[1]));
            return scaled_vector(factor.place, operands[0]);
        }
        case ExpressionKind::maximum: {
            auto greatest = Register{Bank::vector, vector_of(operands.front())};
            for (auto const operand : std::span(operands).subspan(1)) {
                auto const next = vector_of(operand);
                greatest = emit(Action::vector_maximum, result(), greatest.place, next);
            }
            return greatest;
        }
        case ExpressionKind::branch: {
            auto const condition = time_of(operands[0]);
            auto const then = vector_of(operands[1]);
            auto const otherwise = vector_of(operands[2]);
            return emit(Action::vector_branch, result(), condition, then, otherwise);
        }
        default:
            return refuse(ErrorCode::inconsistent,
                          "'" + text_of(pool_, expression) + "' is not defined for vectors", expression);
    }
}

ExpressionTape::Register ExpressionTape::Compiler::scaled_vector(std::uint32_t factor, Expression vector) {
    auto const place = vector_of(vector);
    return emit(Action::vector_scale, new_register(Bank::vector), factor, place);
}

ExpressionTape::Register ExpressionTape::Compiler::given_vector(std::vector<Expression> const& components) {
    std::vector<std::uint32_t> times;
    for (auto const component : components)
        times.push_back(time_of(component));
    auto const result = emit(Action::vector_clear, new_register(Bank::vector));
    for (std::size_t index = 0; index < times.size(); ++index)
        emit(Action::vector_put, result, constant(static_cast<double>(index)).place, times[index]);
    return result;
}

ExpressionTape::Register ExpressionTape::Compiler::unit(Expression index) {
    auto const place = number_of(index);
    auto const one = emit(Action::time_of_number, new_register(Bank::time), constant(1).place);
    auto const result = emit(Action::vector_clear, new_register(Bank::vector));
    return emit(Action::vector_put, result, place, one.place);
}

// The product of scalars and one vector.
ExpressionTape::Register ExpressionTape::Compiler::product(Expression expression,
                                                           std::vector<Expression> const& operands) {
    auto const is_vector = [&](Expression operand) { return pool_.is_vector(operand); };
    if (std::ranges::count_if(operands, is_vector) != 1)
        return refuse(ErrorCode::inconsistent, "'" + text_of(pool_, expression) + "' is a product of vectors",
                      expression);
    auto result = value_of(*std::ranges::find_if(operands, is_vector));
    for (auto const operand : operands) {
        if (is_vector(operand))
            continue;
        auto const scalar = time_of(operand);
        result = emit(Action::vector_times, new_register(Bank::vector), scalar, result.place);
    }
    return result;
}

ExpressionTape::Register ExpressionTape::Compiler::component(Expression expression) {
    auto const operands = operands_of(expression);
    auto const vector = vector_of(operands[0]);
    auto found = new_register(Bank::time);
    if (pool_.kind(expression) == ExpressionKind::element) {
        auto const index = number_of(operands[1]);
        emit(Action::time_element, found, vector, index);
    } else {
        emit(Action::time_largest, found, vector);
    }
    return pool_.is_random(expression)
               ? found
               : emit(Action::number_of_time, new_register(Bank::number), found.place);
}

}  // namespace parcast::symbolic
