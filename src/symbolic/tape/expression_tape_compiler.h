// Makes the steps of a tape. Private to expression_tape*.cpp; begin reading at compile() and value_of().

#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "symbolic/notation/notation.h"
#include "symbolic/tape/expression_tape_steps.h"

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
        tape_.has_nested_maxima_ = tape_.maxima_are_nested();
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

    // --- times and vectors (expression_tape_operations.cpp)

    Register operation_on_times(Expression expression);
    Register given_moments(std::vector<Expression> const& operands);
    Register maximum_of_times(std::vector<Expression> operands);
    Register operation_on_vectors(Expression expression);
    Register scaled_vector(std::uint32_t factor, Expression vector);
    Register given_vector(std::vector<Expression> const& components);
    Register unit(Expression index);
    Register product(Expression expression, std::vector<Expression> const& operands);
    Register component(Expression expression);

    // --- conditions and loops (expression_tape_control.cpp)

    static Action copy_in(Bank bank);
    Register choice(Expression expression);
    Register loop(Expression expression);
    Register turns_alike(Expression expression, std::uint32_t first, std::uint32_t last);
    Register random_count(Expression expression);
    static Action loop_action(ExpressionKind kind, Bank bank);
    void compute_before(Expression expression, std::vector<IndexId>& bound,
                        std::unordered_set<std::uint32_t>& seen);

    // --- the end

    bool compute_constants();
    void keep_text(Expression expression);

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

}  // namespace parcast::symbolic
