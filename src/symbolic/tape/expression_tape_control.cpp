// Steps of conditions and loops.

#include "symbolic/tape/expression_tape_compiler.h"

namespace parcast::symbolic {

// --- control

ExpressionTape::Action ExpressionTape::Compiler::copy_in(Bank bank) {
    return bank == Bank::number ? Action::copy_number
           : bank == Bank::time ? Action::copy_time
                                : Action::copy_vector;
}

ExpressionTape::Register ExpressionTape::Compiler::choice(Expression expression) {
    auto const operands = operands_of(expression);
    auto const bank = bank_of(expression);
    auto const result = new_register(bank);
    auto const condition = number_of(operands[0]);
    auto const side = [&](Expression operand) {
        scopes_.emplace_back();
        emit(copy_in(bank), result, in_bank(bank, operand));
        scopes_.pop_back();
    };
    auto const test = steps().size();
    emit(Action::jump_unless, {}, condition);
    side(operands[1]);
    auto const leave = steps().size();
    emit(Action::jump, {});
    steps()[test].second = static_cast<std::uint32_t>(steps().size());
    side(operands[2]);
    steps()[leave].second = static_cast<std::uint32_t>(steps().size());
    return result;
}

ExpressionTape::Register ExpressionTape::Compiler::loop(Expression expression) {
    auto const operands = operands_of(expression);
    auto const index = pool_.bound_index(expression);
    if (pool_.is_random(operands[0]) || pool_.is_random(operands[1]))
        return random_count(expression);
    auto const first = number_of(operands[0]);
    auto const last = number_of(operands[1]);
    if (!pool_.depends_on(operands[2], index))
        return turns_alike(expression, first, last);
    std::vector<IndexId> bound{index};
    std::unordered_set<std::uint32_t> seen;
    compute_before(operands[2], bound, seen);

    auto const bank = bank_of(expression);
    auto const result = new_register(bank);
    auto const number = static_cast<std::uint32_t>(tape_.loops_.size());
    auto const counter = new_register(Bank::number);
    tape_.loops_.push_back({.index = counter.place, .first = first, .last = last});
    emit(loop_action(pool_.kind(expression), bank), result, 0, number);
    scopes_.push_back({.values = {}, .as_times = {}, .index = index});
    auto outside = open_;
    open_[index.value] = counter.place;
    auto const body = in_bank(bank, operands[2]);
    open_ = std::move(outside);
    scopes_.pop_back();
    tape_.loops_[number].body = body;
    tape_.loops_[number].end = static_cast<std::uint32_t>(steps().size());
    return result;
}

ExpressionTape::Register ExpressionTape::Compiler::turns_alike(Expression expression, std::uint32_t first,
                                                               std::uint32_t last) {
    auto const body = operands_of(expression)[2];
    bool const is_sum = pool_.kind(expression) == ExpressionKind::sum_over;
    auto const difference =
        emit_number(ExpressionKind::add, last, emit_number(ExpressionKind::negate, first, first).place);
    auto const count = emit_number(ExpressionKind::add, difference.place, constant(1).place);
    auto const bank = bank_of(expression);
    auto const each = in_bank(bank, body);
    if (bank == Bank::number)
        return emit_number(is_sum ? ExpressionKind::repeat : ExpressionKind::maximum_over, count.place, each);
    auto const result = new_register(bank);
    if (!is_sum)
        return emit(bank == Bank::time ? Action::time_maximum_of : Action::vector_maximum_of, result,
                    count.place, each);
    auto const as_time = emit(Action::time_of_number, new_register(Bank::time), count.place);
    return emit(bank == Bank::time ? Action::time_repeat : Action::vector_repeat, result, as_time.place,
                each);
}

// last - first + 1 of the body, where a bound is random.
ExpressionTape::Register ExpressionTape::Compiler::random_count(Expression expression) {
    auto const operands = operands_of(expression);
    bool const is_sum = pool_.kind(expression) == ExpressionKind::sum_over;
    if (!is_sum || pool_.depends_on(operands[2], pool_.bound_index(expression))) {
        return refuse(ErrorCode::inconsistent,
                      "'" + text_of(pool_, expression) + "' has a random number of turns that are not alike",
                      expression);
    }
    auto const minus = constant(-1).place;
    auto const less = emit(Action::time_scale, new_register(Bank::time), minus, time_of(operands[0])).place;
    auto const one = emit(Action::time_of_number, new_register(Bank::time), constant(1).place).place;
    auto const difference =
        emit(Action::time_add, new_register(Bank::time), time_of(operands[1]), less).place;
    auto const count = emit(Action::time_add, new_register(Bank::time), difference, one).place;
    auto const bank = pool_.is_vector(expression) ? Bank::vector : Bank::time;
    auto const each = in_bank(bank, operands[2]);
    return emit(bank == Bank::time ? Action::time_repeat : Action::vector_repeat, new_register(bank), count,
                each);
}

ExpressionTape::Action ExpressionTape::Compiler::loop_action(ExpressionKind kind, Bank bank) {
    bool const is_sum = kind == ExpressionKind::sum_over;
    switch (bank) {
        case Bank::number: return is_sum ? Action::sum_of_numbers : Action::maximum_of_numbers;
        case Bank::time: return is_sum ? Action::sum_of_times : Action::maximum_of_times;
        case Bank::vector: break;
    }
    return is_sum ? Action::sum_of_vectors : Action::maximum_of_vectors;
}

// What within the body of a loop does not depend on its index, but for what is on a side of a condition.
void ExpressionTape::Compiler::compute_before(Expression expression, std::vector<IndexId>& bound,
                                              std::unordered_set<std::uint32_t>& seen) {
    if (!seen.insert(expression.id).second)
        return;
    auto const depends = [&](IndexId index) { return pool_.depends_on(expression, index); };
    if (std::ranges::none_of(bound, depends)) {
        value_of(expression);
        return;
    }
    auto const operands = operands_of(expression);
    auto const kind = pool_.kind(expression);
    bool const is_loop = kind == ExpressionKind::sum_over || kind == ExpressionKind::maximum_over;
    for (std::size_t position = 0; position < operands.size(); ++position) {
        if (kind == ExpressionKind::choose && position > 0)
            break;
        bool const is_body = is_loop && position == 2;
        if (is_body)
            bound.push_back(pool_.bound_index(expression));
        compute_before(operands[position], bound, seen);
        if (is_body)
            bound.pop_back();
    }
}

}  // namespace parcast::symbolic
