// From an expression to the steps of its tape.

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "core/ensure.h"
#include "symbolic/expression_tape_steps.h"
#include "symbolic/expression_text.h"

namespace parcast::symbolic {

class ExpressionTape::Compiler {
public:
    // Constants are computed once, or where they stand: an error in one that a condition leaves out is none.
    enum class Constants : bool { once, in_place };

    Compiler(ExpressionPool const& pool, std::span<std::string const> parameters,
             std::span<IndexId const> indices, Constants constants)
        : pool_(pool), parameters_(parameters), constants_(constants) {
        tape_.given_ = static_cast<std::uint32_t>(parameters.size() + indices.size());
        tape_.numbers_.resize(tape_.given_);
        scopes_.emplace_back();
        for (std::size_t position = 0; position < indices.size(); ++position)
            open_.emplace(indices[position].value, static_cast<std::uint32_t>(parameters.size() + position));
    }

    Result<ExpressionTape> compile(Expression expression) {
        tape_.is_random_ = pool_.is_random(expression);
        tape_.result_ = value_of(expression);
        if (!tape_.is_random_ && tape_.result_.bank == Bank::time)
            tape_.result_ = number_register(tape_.result_, expression);
        if (failure_)
            return tl::unexpected(*failure_);
        has_computed_constants_ = compute_constants();
        return std::move(tape_);
    }

    bool has_computed_constants() const { return has_computed_constants_; }

private:
    // What has been computed: in the whole tape, in the body of a loop, or on one side of a condition.
    struct Scope {
        std::unordered_map<std::uint32_t, Register> values;
        std::unordered_map<std::uint32_t, std::uint32_t> as_times;
        std::optional<IndexId> index;  // that the scope's loop binds
    };

    // --- registers

    Register new_register(Bank bank) {
        switch (bank) {
            case Bank::number: tape_.numbers_.push_back(0); return {bank, last_place(tape_.numbers_)};
            case Bank::time: tape_.times_.emplace_back(); return {bank, last_place(tape_.times_)};
            case Bank::vector: break;
        }
        tape_.vectors_.emplace_back();
        return {Bank::vector, last_place(tape_.vectors_)};
    }

    template <class Values>
    static std::uint32_t last_place(Values const& values) {
        return static_cast<std::uint32_t>(values.size() - 1);
    }

    Register constant(double value) {
        auto const made = new_register(Bank::number);
        tape_.numbers_[made.place] = value;
        return made;
    }

    Bank bank_of(Expression expression) const {
        return pool_.is_vector(expression)   ? Bank::vector
               : pool_.is_random(expression) ? Bank::time
                                             : Bank::number;
    }

    // --- steps

    std::vector<Step>& steps() { return in_constants_ ? constant_steps_ : tape_.steps_; }

    Register emit(Action action, Register result, std::uint32_t first = 0, std::uint32_t second = 0,
                  std::uint32_t third = 0) {
        steps().push_back({action, ExpressionKind::number, result.place, first, second, third, origin_});
        return result;
    }

    Register emit_number(ExpressionKind kind, std::uint32_t first, std::uint32_t second = 0) {
        auto const result = new_register(Bank::number);
        steps().push_back({Action::number_operation, kind, result.place, first, second, 0, origin_});
        return result;
    }

    Register refuse(ErrorCode code, std::string message, Expression expression) {
        if (!failure_)
            failure_ = Error{code, std::move(message), std::nullopt};
        return new_register(bank_of(expression));
    }

    // --- values

    bool is_constant(Expression expression) const {
        return constants_ == Constants::once && !pool_.has_parameters(expression) &&
               pool_.free_indices(expression).empty();
    }

    std::optional<Register> known(Expression expression) const {
        for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
            if (auto const found = scope->values.find(expression.id); found != scope->values.end())
                return found->second;
            // Outside, an index of the same identity has another value.
            if (scope->index && pool_.depends_on(expression, *scope->index))
                return std::nullopt;
        }
        return std::nullopt;
    }

    Register value_of(Expression expression) {
        if (auto const found = known(expression))
            return *found;
        if (!is_constant(expression) || in_constants_) {
            auto const made = built(expression);
            scopes_.back().values.emplace(expression.id, made);
            return made;
        }
        // Computed once, at the end of the compilation, wherever it stands.
        std::vector<Scope> inner(std::make_move_iterator(scopes_.begin() + 1),
                                 std::make_move_iterator(scopes_.end()));
        scopes_.resize(1);
        in_constants_ = true;
        auto const made = built(expression);
        in_constants_ = false;
        scopes_.front().values.emplace(expression.id, made);
        scopes_.insert(scopes_.end(), std::make_move_iterator(inner.begin()),
                       std::make_move_iterator(inner.end()));
        return made;
    }

    std::uint32_t number_of(Expression expression) {
        return number_register(value_of(expression), expression).place;
    }

    Register number_register(Register value, Expression expression) {
        if (value.bank == Bank::number)
            return value;
        if (value.bank == Bank::vector || pool_.is_random(expression))
            return refuse(ErrorCode::inconsistent,
                          "'" + text_of(pool_, expression) + "' is not a plain number", expression);
        return emit(Action::number_of_time, new_register(Bank::number), value.place);
    }

    std::uint32_t time_of(Expression expression) {
        auto const value = value_of(expression);
        if (value.bank == Bank::time)
            return value.place;
        if (value.bank == Bank::vector) {
            return refuse(ErrorCode::inconsistent,
                          "'" + text_of(pool_, expression) + "' is a vector, not a time", expression)
                .place;
        }
        // Among the constants there are sides of conditions, too: what one of them has computed the other
        // lacks.
        bool const is_kept = is_constant(expression) && !in_constants_;
        auto& scope = (is_kept ? scopes_.front() : scopes_.back()).as_times;
        if (auto const found = scope.find(expression.id); found != scope.end())
            return found->second;
        auto const outside = std::exchange(in_constants_, in_constants_ || is_kept);
        auto const made = emit(Action::time_of_number, new_register(Bank::time), value.place).place;
        in_constants_ = outside;
        scope.emplace(expression.id, made);
        return made;
    }

    std::uint32_t vector_of(Expression expression) {
        auto const value = value_of(expression);
        if (value.bank == Bank::vector)
            return value.place;
        // A number among vectors: only 0 is one.
        if (pool_.kind(expression) == ExpressionKind::number && pool_.value(expression) == 0)
            return emit(Action::vector_clear, new_register(Bank::vector)).place;
        return refuse(ErrorCode::inconsistent, "'" + text_of(pool_, expression) + "' is not a vector",
                      expression)
            .place;
    }

    std::uint32_t in_bank(Bank bank, Expression expression) {
        return bank == Bank::number ? number_of(expression)
               : bank == Bank::time ? time_of(expression)
                                    : vector_of(expression);
    }

    // --- expressions

    std::vector<Expression> operands_of(Expression expression) const {
        auto const operands = pool_.operands(expression);
        return {operands.begin(), operands.end()};
    }

    Register built(Expression expression) {
        auto const outer = std::exchange(origin_, expression);
        keep_text(expression);
        auto const made = built_by_kind(expression);
        origin_ = outer;
        return made;
    }

    Register built_by_kind(Expression expression) {
        switch (pool_.kind(expression)) {
            case ExpressionKind::number: return constant(pool_.value(expression));
            case ExpressionKind::parameter: return given_parameter(expression);
            case ExpressionKind::index: return open_index(expression);
            case ExpressionKind::choose: return choice(expression);
            case ExpressionKind::sum_over:
            case ExpressionKind::maximum_over: return loop(expression);
            case ExpressionKind::element:
            case ExpressionKind::largest: return component(expression);
            default: break;
        }
        switch (bank_of(expression)) {
            case Bank::number: return operation_on_numbers(expression);
            case Bank::time: return operation_on_times(expression);
            case Bank::vector: break;
        }
        return operation_on_vectors(expression);
    }

    Register given_parameter(Expression expression) {
        auto const& name = pool_.name(expression);
        auto const found = std::ranges::find(parameters_, name);
        if (found == parameters_.end())
            return refuse(ErrorCode::not_found, "the parameter '" + name + "' has no value", expression);
        return {Bank::number, static_cast<std::uint32_t>(found - parameters_.begin())};
    }

    Register open_index(Expression expression) {
        auto const found = open_.find(pool_.bound_index(expression).value);
        if (found == open_.end())
            return refuse(ErrorCode::inconsistent,
                          "the index '" + pool_.name(expression) + "' belongs to no loop around it",
                          expression);
        return {Bank::number, found->second};
    }

    Register operation_on_numbers(Expression expression) {
        auto const operands = operands_of(expression);
        auto const kind = pool_.kind(expression);
        bool const is_logical = kind == ExpressionKind::conjunction || kind == ExpressionKind::disjunction;
        if (operands.size() == 1 && !is_logical && is_chain(kind))
            return value_of(operands.front());
        auto const first = number_of(operands.front());
        if (operands.size() == 1)
            return emit_number(kind, first, first);
        auto result = emit_number(kind, first, number_of(operands[1]));
        for (std::size_t position = 2; position < operands.size(); ++position) {
            auto const next = number_of(operands[position]);
            result = emit_number(kind, result.place, next);
        }
        return result;
    }

    static bool is_chain(ExpressionKind kind) {
        return kind == ExpressionKind::add || kind == ExpressionKind::multiply ||
               kind == ExpressionKind::maximum || kind == ExpressionKind::minimum;
    }

    Register operation_on_times(Expression expression) {
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

    Register given_moments(std::vector<Expression> const& operands) {
        std::vector<std::uint32_t> given;
        for (auto const operand : operands)
            given.push_back(number_of(operand));
        auto const first = static_cast<std::uint32_t>(tape_.numbers_.size());
        for (auto const number : given)
            emit(Action::copy_number, new_register(Bank::number), number);
        return emit(Action::time_of_moments, new_register(Bank::time), first);
    }

    // The same expression twice: two of one law, at once.
    Register maximum_of_times(std::vector<Expression> operands) {
        std::optional<Register> result;
        while (!operands.empty()) {
            auto const each = operands.front();
            auto const count = std::erase(operands, each);
            auto next = Register{Bank::time, time_of(each)};
            if (count > 1) {
                auto const number = constant(static_cast<double>(count));
                next = emit(Action::time_maximum_of, new_register(Bank::time), number.place, next.place);
            }
            result = result ? emit(Action::time_maximum, new_register(Bank::time), result->place, next.place)
                            : next;
        }
        return *result;
    }

    Register operation_on_vectors(Expression expression) {
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

    Register scaled_vector(std::uint32_t factor, Expression vector) {
        auto const place = vector_of(vector);
        return emit(Action::vector_scale, new_register(Bank::vector), factor, place);
    }

    Register given_vector(std::vector<Expression> const& components) {
        std::vector<std::uint32_t> times;
        for (auto const component : components)
            times.push_back(time_of(component));
        auto const result = emit(Action::vector_clear, new_register(Bank::vector));
        for (std::size_t index = 0; index < times.size(); ++index)
            emit(Action::vector_put, result, constant(static_cast<double>(index)).place, times[index]);
        return result;
    }

    Register unit(Expression index) {
        auto const place = number_of(index);
        auto const one = emit(Action::time_of_number, new_register(Bank::time), constant(1).place);
        auto const result = emit(Action::vector_clear, new_register(Bank::vector));
        return emit(Action::vector_put, result, place, one.place);
    }

    // Of scalars and one vector.
    Register product(Expression expression, std::vector<Expression> const& operands) {
        auto const is_vector = [&](Expression operand) { return pool_.is_vector(operand); };
        if (std::ranges::count_if(operands, is_vector) != 1)
            return refuse(ErrorCode::inconsistent,
                          "'" + text_of(pool_, expression) + "' is a product of vectors", expression);
        auto result = value_of(*std::ranges::find_if(operands, is_vector));
        for (auto const operand : operands) {
            if (is_vector(operand))
                continue;
            auto const scalar = time_of(operand);
            result = emit(Action::vector_times, new_register(Bank::vector), scalar, result.place);
        }
        return result;
    }

    Register component(Expression expression) {
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

    // --- control

    static Action copy_in(Bank bank) {
        return bank == Bank::number ? Action::copy_number
               : bank == Bank::time ? Action::copy_time
                                    : Action::copy_vector;
    }

    Register choice(Expression expression) {
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

    Register loop(Expression expression) {
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

    Register turns_alike(Expression expression, std::uint32_t first, std::uint32_t last) {
        auto const body = operands_of(expression)[2];
        bool const is_sum = pool_.kind(expression) == ExpressionKind::sum_over;
        auto const difference =
            emit_number(ExpressionKind::add, last, emit_number(ExpressionKind::negate, first, first).place);
        auto const count = emit_number(ExpressionKind::add, difference.place, constant(1).place);
        auto const bank = bank_of(expression);
        auto const each = in_bank(bank, body);
        if (bank == Bank::number)
            return emit_number(is_sum ? ExpressionKind::repeat : ExpressionKind::maximum_over, count.place,
                               each);
        auto const result = new_register(bank);
        if (!is_sum)
            return emit(bank == Bank::time ? Action::time_maximum_of : Action::vector_maximum_of, result,
                        count.place, each);
        auto const as_time = emit(Action::time_of_number, new_register(Bank::time), count.place);
        return emit(bank == Bank::time ? Action::time_repeat : Action::vector_repeat, result, as_time.place,
                    each);
    }

    // last - first + 1 of the body, where a bound is random.
    Register random_count(Expression expression) {
        auto const operands = operands_of(expression);
        bool const is_sum = pool_.kind(expression) == ExpressionKind::sum_over;
        if (!is_sum || pool_.depends_on(operands[2], pool_.bound_index(expression))) {
            return refuse(
                ErrorCode::inconsistent,
                "'" + text_of(pool_, expression) + "' has a random number of turns that are not alike",
                expression);
        }
        auto const minus = constant(-1).place;
        auto const less =
            emit(Action::time_scale, new_register(Bank::time), minus, time_of(operands[0])).place;
        auto const one = emit(Action::time_of_number, new_register(Bank::time), constant(1).place).place;
        auto const difference =
            emit(Action::time_add, new_register(Bank::time), time_of(operands[1]), less).place;
        auto const count = emit(Action::time_add, new_register(Bank::time), difference, one).place;
        auto const bank = pool_.is_vector(expression) ? Bank::vector : Bank::time;
        auto const each = in_bank(bank, operands[2]);
        return emit(bank == Bank::time ? Action::time_repeat : Action::vector_repeat, new_register(bank),
                    count, each);
    }

    static Action loop_action(ExpressionKind kind, Bank bank) {
        bool const is_sum = kind == ExpressionKind::sum_over;
        switch (bank) {
            case Bank::number: return is_sum ? Action::sum_of_numbers : Action::maximum_of_numbers;
            case Bank::time: return is_sum ? Action::sum_of_times : Action::maximum_of_times;
            case Bank::vector: break;
        }
        return is_sum ? Action::sum_of_vectors : Action::maximum_of_vectors;
    }

    // What within the body of a loop does not depend on its index, but for what is on a side of a condition.
    void compute_before(Expression expression, std::vector<IndexId>& bound,
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

    // --- the end

    bool compute_constants() {
        auto steps = std::exchange(tape_.steps_, std::move(constant_steps_));
        Run run{.numbers = tape_.numbers_, .times = tape_.times_, .vectors = tape_.vectors_};
        run.execute(tape_, 0, tape_.steps_.size());
        tape_.steps_ = std::move(steps);
        return !run.failure;
    }

    // Messages name what they come from; a tape of thousands of loops does without.
    void keep_text(Expression expression) {
        static constexpr std::size_t most_texts = 128;
        switch (pool_.kind(expression)) {
            case ExpressionKind::divide:
            case ExpressionKind::quotient:
            case ExpressionKind::remainder:
            case ExpressionKind::power:
            case ExpressionKind::logarithm:
            case ExpressionKind::logarithm_2:
            case ExpressionKind::square_root:
            case ExpressionKind::exponential:
            case ExpressionKind::sum_over:
            case ExpressionKind::maximum_over:
            case ExpressionKind::unit_vector:
            case ExpressionKind::element:
                if (tape_.origins_.size() < most_texts)
                    tape_.origins_.push_back({expression, text_of(pool_, expression)});
                break;
            default: break;
        }
    }

    ExpressionPool const& pool_;
    std::span<std::string const> parameters_;
    std::unordered_map<std::uint32_t, std::uint32_t> open_;  // indices to their places among the numbers
    std::vector<Scope> scopes_;
    std::vector<Step> constant_steps_;
    Constants constants_;
    bool in_constants_ = false;
    bool has_computed_constants_ = false;
    Expression origin_;
    ExpressionTape tape_;
    std::optional<Error> failure_;
};

Result<ExpressionTape> ExpressionTape::compile(ExpressionPool const& pool, Expression expression,
                                               std::span<std::string const> parameters,
                                               std::span<IndexId const> indices) {
    Compiler compiler(pool, parameters, indices, Compiler::Constants::once);
    auto tape = compiler.compile(expression);
    if (!tape || compiler.has_computed_constants())
        return tape;
    return Compiler(pool, parameters, indices, Compiler::Constants::in_place).compile(expression);
}

}  // namespace parcast::symbolic
