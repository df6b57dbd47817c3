#include "program/process_values.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/counted.h"
#include "core/ensure.h"

namespace parcast {

namespace {

constexpr auto no_entry = std::numeric_limits<std::uint32_t>::max();

}  // namespace

ProcessValues::ProcessValues(ProcessModel const& model, std::span<double const> parameters)
    : model_(model), values_(parameters.begin(), parameters.end()) {
    ensure(parameters.size() == model.parameters.size(), "a value for each parameter of the model");
    for (auto const& parameter : model.parameters)
        parameters_.push_back(parameter.name);
    for (auto const& process : model.processes) {
        auto const* const loop = std::get_if<ProcessLoop>(&process);
        if (loop != nullptr && places_.emplace(loop->index.value, values_.size()).second) {
            indices_.push_back(loop->index);
            values_.push_back(0);
        }
    }
}

ProcessValues::Entry& ProcessValues::entry(symbolic::Expression expression) {
    if (expression.id >= entry_of_.size())
        entry_of_.resize(expression.id + 1, no_entry);
    auto& place = entry_of_[expression.id];
    if (place != no_entry)
        return entries_[place];
    place = static_cast<std::uint32_t>(entries_.size());
    auto& made = entries_.emplace_back();
    auto tape = symbolic::ExpressionTape::compile(model_.expressions, expression, parameters_, indices_);
    if (!tape) {
        refuse(tape.error().code, tape.error().message);
        return made;
    }
    made.tape = std::move(*tape);
    made.varies = false;
    for (auto const index : indices_)
        made.varies = made.varies || model_.expressions.depends_on(expression, index);
    return made;
}

double ProcessValues::number(symbolic::Expression expression) {
    auto& known = entry(expression);
    if (known.number && !known.varies)
        return *known.number;
    if (failed())
        return 0;
    auto const value = known.tape->number(values_);
    if (!value) {
        refuse(value.error().code, value.error().message);
        return 0;
    }
    known.number = *value;
    return *value;
}

Moments ProcessValues::moments(symbolic::Expression expression) {
    auto& known = entry(expression);
    if (known.moments && !known.varies)
        return *known.moments;
    if (failed())
        return {};
    auto const value = known.tape->moments(values_);
    if (!value) {
        refuse(value.error().code, value.error().message);
        return {};
    }
    known.moments = *value;
    return *value;
}

LoopTurns ProcessValues::turns(ProcessLoop const& loop) {
    auto const& pool = model_.expressions;
    if (pool.is_random(loop.first) || pool.is_random(loop.last)) {
        auto const first = moments(loop.first);
        auto count = moments(loop.last) + scaled(-1, first);
        count.mean += 1;
        return {first.mean, count, true};
    }
    double const first = number(loop.first);
    double const count = number(loop.last) - first + 1;
    // N - N / P and the like: a rounding error is no fraction of a turn.
    double const whole = std::round(count);
    bool const is_whole = std::abs(count - whole) <= 1e-9 * std::max(1.0, std::abs(count));
    return {first, deterministic(std::max(0.0, is_whole ? whole : count)), false};
}

void ProcessValues::bind(symbolic::IndexId index, double value) {
    values_[places_.at(index.value)] = value;
}

void ProcessValues::count_step() {
    if (++steps_ == most_walk_steps) {
        refuse(ErrorCode::out_of_range,
               "the loops of the model, which differ from turn to turn, have more than " +
                   count_text(static_cast<std::int64_t>(most_walk_steps)) +
                   " turns: set smaller bounds with --set NAME=VALUE");
    }
}

void ProcessValues::refuse(ErrorCode code, std::string message) {
    if (!failed())
        error_ = Error{code, std::move(message), std::nullopt};
}

namespace {

class IndexUseScan {
public:
    IndexUseScan(ProcessModel const& model, symbolic::IndexId index) : model_(model), index_(index) {}

    IndexUse scan() && {
        for (auto const& process : model_.processes) {
            std::visit([this](auto const& one) { look_at(one); }, process);
            use_.anywhere.push_back(anywhere_);
            use_.in_structure.push_back(in_structure_);
            anywhere_ = in_structure_ = false;
        }
        return std::move(use_);
    }

private:
    void look_at(Delay const& delay) { time(delay.time); }
    void look_at(Use const& use) {
        time(use.time);
        structure(use.resource.index);
        structure(use.resource.multiplicity);
    }
    void look_at(Sequence const& sequence) { parts(sequence.parts); }
    void look_at(Parallel const& parallel) { parts(parallel.branches); }
    void look_at(ProcessLoop const& loop) {
        structure(loop.first);
        structure(loop.last);
        part(loop.body);
    }
    void look_at(ProcessChoice const& choice) {
        structure(choice.condition);
        part(choice.then);
        part(choice.otherwise);
    }

    void time(symbolic::Expression expression) { anywhere_ = anywhere_ || depends(expression); }
    void structure(symbolic::Expression expression) {
        bool const found = depends(expression);
        anywhere_ = anywhere_ || found;
        in_structure_ = in_structure_ || found;
    }
    void parts(std::vector<ProcessId> const& processes) {
        for (auto const process : processes)
            part(process);
    }
    void part(ProcessId process) {
        anywhere_ = anywhere_ || use_.anywhere[process.value];
        in_structure_ = in_structure_ || use_.in_structure[process.value];
    }
    bool depends(symbolic::Expression expression) const {
        return model_.expressions.depends_on(expression, index_);
    }

    ProcessModel const& model_;
    symbolic::IndexId index_;
    IndexUse use_;
    bool anywhere_ = false;
    bool in_structure_ = false;
};

}  // namespace

IndexUse index_use(ProcessModel const& model, symbolic::IndexId index) {
    return IndexUseScan(model, index).scan();
}

}  // namespace parcast
