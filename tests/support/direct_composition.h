// A process composed directly over numbers, at one point of its parameters: no formula is made. What
// time_domain() and simplify() are checked against, and what an evaluation costs without them.
//
// Cost: each turn of a loop whose body depends on its index, and each shared part where it stands.

#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "core/ensure.h"
#include "core/result.h"
#include "model/composition/composition.h"
#include "program/process_model.h"
#include "symbolic/sparse_vector.h"
#include "symbolic/tape/expression_tape.h"
#include "symbolic/time_algebra.h"

namespace parcast::model {

// A loop of turns that are alike: all at once by the rules for n of them, or one after the other.
enum class Turns : bool { alike_at_once, each };

// Values of leaves, with the values that parameters and indices have now. Keeps the first error.
class Surroundings {
public:
    Surroundings(ProcessModel const& model, std::span<double const> parameters)
        : model_(model), values_(parameters.begin(), parameters.end()) {
        for (auto const& parameter : model.parameters)
            names_.push_back(parameter.name);
        ensure(names_.size() == values_.size(), "a value for each parameter of the model");
        for (auto const& process : model.processes) {
            if (auto const* loop = std::get_if<ProcessLoop>(&process)) {
                places_.emplace(loop->index.value, values_.size());
                indices_.push_back(loop->index);
                values_.push_back(0);
            }
        }
    }

    Moments time(symbolic::Expression expression) {
        auto const known = tapes_.find(expression.id);
        if (known == tapes_.end()) {
            auto made = symbolic::ExpressionTape::compile(model_.expressions, expression, names_, indices_);
            if (!made)
                return failed(std::move(made.error()));
            return at_this_point(tapes_.emplace(expression.id, std::move(*made)).first->second);
        }
        return at_this_point(known->second);
    }

    double number(symbolic::Expression expression) { return time(expression).mean; }
    void set(symbolic::IndexId index, double value) { values_[places_.at(index.value)] = value; }
    std::optional<Error> const& error() const { return error_; }

    // Whether anything within the process does.
    bool depends_on(ProcessId process, symbolic::IndexId index) const {
        auto const uses = [&](symbolic::Expression expression) {
            return model_.expressions.depends_on(expression, index);
        };
        auto const part = [&](ProcessId inner) { return depends_on(inner, index); };
        auto const& form = model_[process];
        if (auto const* delay = std::get_if<Delay>(&form))
            return uses(delay->time);
        if (auto const* use = std::get_if<Use>(&form))
            return uses(use->time) || uses(use->resource.index);
        if (auto const* sequence = std::get_if<Sequence>(&form))
            return std::ranges::any_of(sequence->parts, part);
        if (auto const* parallel = std::get_if<Parallel>(&form))
            return std::ranges::any_of(parallel->branches, part);
        if (auto const* loop = std::get_if<ProcessLoop>(&form))
            return uses(loop->first) || uses(loop->last) || part(loop->body);
        auto const& choice = std::get<ProcessChoice>(form);
        return uses(choice.condition) || part(choice.then) || part(choice.otherwise);
    }

private:
    Moments at_this_point(symbolic::ExpressionTape const& tape) {
        auto value = tape.moments(values_);
        return value ? *value : failed(std::move(value.error()));
    }

    Moments failed(Error error) {
        if (!error_)
            error_ = std::move(error);
        return {};
    }

    ProcessModel const& model_;
    std::vector<double> values_;
    std::vector<std::string> names_;
    std::vector<symbolic::IndexId> indices_;
    std::unordered_map<std::uint32_t, std::size_t> places_;
    std::unordered_map<std::uint32_t, symbolic::ExpressionTape> tapes_;
    std::optional<Error> error_;
};

// The operations that differ between times and vectors of times. What happens at once: the longest of the
// critical paths, all of the works.
template <symbolic::TimeAlgebra Algebra>
struct TimeValues {
    static constexpr bool adds_at_once = false;
    using Value = typename Algebra::Time;
    static Value nothing() { return Algebra::of(0); }
    static Value sum(Value const& left, Value const& right) { return Algebra::add(left, right); }
    static Value repeat(typename Algebra::Time const& count, Value const& each) {
        return Algebra::repeat(count, each);
    }
    static Value branch(typename Algebra::Time const& condition, Value const& then, Value const& otherwise) {
        return Algebra::branch(condition, then, otherwise);
    }
};

template <symbolic::TimeAlgebra Algebra>
struct WorkValues {
    static constexpr bool adds_at_once = true;
    using Value = symbolic::SparseVector<Algebra>;
    static Value nothing() { return {}; }
    static Value sum(Value left, Value const& right) {
        left.add(right);
        return left;
    }
    static Value repeat(typename Algebra::Time const& count, Value const& each) {
        return each.each([&](auto const& time) { return Algebra::repeat(count, time); });
    }
    static Value branch(typename Algebra::Time const& condition, Value const& then, Value const& otherwise) {
        return Value::together(then, otherwise, [&](auto const& one, auto const& other) {
            return Algebra::branch(condition, one, other);
        });
    }
};

template <symbolic::TimeAlgebra Algebra, class Values>
class DirectCalculus {
public:
    using Value = typename Values::Value;
    static constexpr bool is_timeless = false;

    DirectCalculus(Surroundings& surroundings, Turns turns) : surroundings_(surroundings), turns_(turns) {}

    typename Algebra::Time time(symbolic::Expression expression) {
        auto const moments = surroundings_.time(expression);
        if constexpr (std::is_same_v<typename Algebra::Time, double>)
            return moments.mean;
        else
            return moments;
    }

    Value in_sequence(std::vector<Value> const& values) {
        auto result = Values::nothing();
        for (auto const& value : values)
            result = Values::sum(std::move(result), value);
        return result;
    }

    Value at_once(std::vector<Value> const& values) {
        if constexpr (Values::adds_at_once) {
            return in_sequence(values);
        } else {
            symbolic::MaximumOfMany<Algebra> greatest;
            for (auto const& value : values)
                add_branch(greatest, value);
            return greatest.value();
        }
    }

    template <class Body>
    Value in_sequence_over(ProcessLoop const& loop, Body const& body) {
        if (turns_ == Turns::alike_at_once && !surroundings_.depends_on(loop.body, loop.index))
            return Values::repeat(count(loop), body());
        auto result = Values::nothing();
        each_turn(loop, [&] { result = Values::sum(std::move(result), body()); });
        return result;
    }

    template <class Body>
    Value at_once_over(ProcessLoop const& loop, Body const& body) {
        if constexpr (Values::adds_at_once)
            return in_sequence_over(loop, body);
        else
            return longest_over(loop, body);
    }

    template <class Then, class Otherwise>
    Value choose(symbolic::Expression condition, Then const& then, Otherwise const& otherwise) {
        return surroundings_.number(condition) != 0 ? then() : otherwise();
    }

    Value branch(symbolic::Expression condition, Value const& then, Value const& otherwise) {
        return Values::branch(time(condition), then, otherwise);
    }

private:
    template <class Body>
    Value longest_over(ProcessLoop const& loop, Body const& body) {
        if (turns_ == Turns::alike_at_once && !surroundings_.depends_on(loop.body, loop.index)) {
            auto const turns = surroundings_.number(loop.last) - surroundings_.number(loop.first) + 1;
            return Algebra::maximum_of(turns, body());
        }
        symbolic::MaximumOfMany<Algebra> greatest;
        each_turn(loop, [&] { add_branch(greatest, body()); });
        return greatest.value();
    }

    // Times are not negative: what takes none is no branch.
    static void add_branch(symbolic::MaximumOfMany<Algebra>& greatest, typename Algebra::Time const& value) {
        if (value != Algebra::of(0))
            greatest.add(value);
    }

    typename Algebra::Time count(ProcessLoop const& loop) {
        auto const less = Algebra::scale(-1, time(loop.first));
        return Algebra::add(Algebra::add(time(loop.last), less), Algebra::of(1));
    }

    template <class Turn>
    void each_turn(ProcessLoop const& loop, Turn const& turn) {
        auto const first = surroundings_.number(loop.first);
        auto const turns = symbolic::turns_between(first, surroundings_.number(loop.last));
        for (double done = 0; done < turns && !surroundings_.error(); ++done) {
            surroundings_.set(loop.index, first + done);
            turn();
        }
    }

    Surroundings& surroundings_;
    Turns turns_;
};

// Parameters in the order of the model's. Errors: of the evaluation of its expressions.
template <symbolic::TimeAlgebra Algebra>
Result<typename Algebra::Time> direct_critical_path(ProcessModel const& model, ProcessId root,
                                                    std::span<double const> parameters,
                                                    Turns turns = Turns::alike_at_once) {
    Surroundings surroundings(model, parameters);
    DirectCalculus<Algebra, TimeValues<Algebra>> calculus(surroundings, turns);
    auto const leaf = [&](auto const& part) { return calculus.time(part.time); };
    auto const value = Composition(model, calculus, leaf).of(root);
    if (surroundings.error())
        return fail(*surroundings.error());
    return value;
}

template <symbolic::TimeAlgebra Algebra>
Result<symbolic::SparseVector<Algebra>> direct_work(ProcessModel const& model, ProcessId root,
                                                    std::span<double const> parameters,
                                                    Turns turns = Turns::alike_at_once) {
    using Vector = symbolic::SparseVector<Algebra>;
    Surroundings surroundings(model, parameters);
    DirectCalculus<Algebra, WorkValues<Algebra>> calculus(surroundings, turns);
    auto const leaf = [&](auto const& part) {
        Vector vector;
        if constexpr (std::is_same_v<std::decay_t<decltype(part)>, Use>)
            vector.add(static_cast<std::uint64_t>(surroundings.number(part.resource.index)),
                       calculus.time(part.time));
        return vector;
    };
    auto const value = Composition(model, calculus, leaf).of(root);
    if (surroundings.error())
        return fail(*surroundings.error());
    return value;
}

}  // namespace parcast::model
