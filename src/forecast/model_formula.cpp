#include "forecast/model_formula.h"

#include <algorithm>
#include <functional>
#include <utility>
#include <variant>

#include "core/ensure.h"
#include "core/suggestion.h"
#include "core/three_digits.h"
#include "stochastic/maximum.h"
#include "symbolic/simplify/simplify.h"

namespace parcast::forecast {

namespace {

using symbolic::Expression;
using symbolic::ExpressionKind;
using symbolic::ExpressionPool;
using symbolic::ExpressionTape;
using Values = std::span<double const>;

std::vector<std::string> names_of_parameters(ProcessModel const& model) {
    std::vector<std::string> names;
    for (auto const& parameter : model.parameters)
        names.push_back(parameter.name);
    return names;
}

Result<ExpressionTape> tape_of(ProcessModel& model, Expression expression) {
    auto const simple = symbolic::simplify(model.expressions, expression);
    return ExpressionTape::compile(model.expressions, simple, names_of_parameters(model));
}

Result<Moments> value_at(ExpressionTape const& tape, Values values) {
    if (tape.is_random())
        return tape.moments(values);
    auto number = tape.number(values);
    if (!number)
        return pass_on(number);
    return deterministic(*number);
}

// "there is no 'mian'; did you mean 'main'?"
tl::unexpected<Error> no_such(std::string const& name, std::vector<std::string_view> const& known) {
    auto const meant = nearest(name, known);
    std::string all;
    for (auto const one : known)
        all += (all.empty() ? "" : ", ") + std::string(one);
    return fail(ErrorCode::not_found,
                "the model has no '" + name + "'" +
                    (meant ? "; did you mean '" + std::string(*meant) + "'?" : "; it has: " + all + "."));
}

// What a name stands for that is no process: a parameter, or an equation. `others`: what else the name could
// be.
Result<Expression> number_named(ProcessModel& model, std::string const& name,
                                std::vector<std::string_view> others) {
    auto& known = others;
    for (auto const& parameter : model.parameters) {
        if (parameter.name == name)
            return model.expressions.parameter(name);
        known.push_back(parameter.name);
    }
    for (auto const& equation : model.numeric_equations) {
        if (equation.name == name)
            return equation.value;
        known.push_back(equation.name);
    }
    return no_such(name, known);
}

bool is_zero(ExpressionPool const& pool, Expression expression) {
    return pool.kind(expression) == ExpressionKind::number && pool.value(expression) == 0;
}

}  // namespace

Result<ModelFormula> ModelFormula::of(ProcessModel& model, FormulaOptions const& options) {
    ModelFormula formula;
    auto const process = std::ranges::find(model.process_equations, options.of, &ProcessEquation::name);
    if (process == model.process_equations.end()) {
        std::vector<std::string_view> processes;
        for (auto const& equation : model.process_equations)
            processes.push_back(equation.name);
        auto const value = number_named(model, options.of, processes);
        if (!value)
            return pass_on(value);
        if (model.expressions.is_vector(*value))
            return fail(ErrorCode::unsupported, "'" + options.of + "' is a vector, and no time");
        auto tape = tape_of(model, *value);
        if (!tape)
            return pass_on(tape);
        formula.bounds_ = Bounds{"", std::move(*tape), std::nullopt};
        formula.critical_path_bounds_ =
            symbolic::TimeBounds::of(model.expressions, *value, names_of_parameters(model));
    } else {
        formula.is_process_ = true;
        auto composed = formula.compose(model, process->root, options.phases);
        if (!composed)
            return pass_on(composed);
    }
    if (options.per) {
        auto const divisor = number_named(model, *options.per, {});
        if (!divisor)
            return fail(divisor.error().code, "--per: " + divisor.error().message);
        if (model.expressions.is_random(*divisor) || model.expressions.is_vector(*divisor))
            return fail(ErrorCode::unsupported, "--per: '" + *options.per + "' is no number");
        auto tape = tape_of(model, *divisor);
        if (!tape)
            return pass_on(tape);
        formula.per_ = std::move(*tape);
    }
    return formula;
}

Result<ModelFormula::Bounds> ModelFormula::bounds_of(ProcessModel& model, std::string name, Expression phi,
                                                     Expression omega) {
    auto critical_path = tape_of(model, phi);
    if (!critical_path)
        return pass_on(critical_path);
    Bounds bounds{std::move(name), std::move(*critical_path), std::nullopt};
    if (is_zero(model.expressions, symbolic::simplify(model.expressions, omega)))
        return bounds;
    auto busiest = tape_of(model, omega);
    if (!busiest)
        return pass_on(busiest);
    bounds.busiest = std::move(*busiest);
    return bounds;
}

Result<void> ModelFormula::compose(ProcessModel& model, ProcessId root, bool with_phases) {
    auto const times = model::time_domain(model, root);
    auto bounds = bounds_of(model, "", times.phi, times.omega);
    if (!bounds)
        return pass_on(bounds);
    bounds_ = std::move(*bounds);
    critical_path_bounds_ =
        symbolic::TimeBounds::of(model.expressions, times.phi, names_of_parameters(model));
    if (bounds_->busiest) {
        if (auto found = find_servers(model, times); !found)
            return found;
        ensure(!servers_.empty(), "what bounds the time is used somewhere");
        auto work = tape_of(model, times.delta);
        if (!work)
            return pass_on(work);
        if (servers_.size() > 1 || !servers_.front().index)
            work_ = std::move(*work);
    }
    if (!with_phases)
        return {};
    for (auto const& phase : model::phases(model, root)) {
        auto of_phase = bounds_of(model, phase.name, phase.times.phi, phase.times.omega);
        if (!of_phase)
            return pass_on(of_phase);
        phases_.push_back(std::move(*of_phase));
    }
    return {};
}

Result<std::optional<ExpressionTape>> ModelFormula::tape_if_same_everywhere(ProcessModel& model,
                                                                            Expression expression) {
    if (!model.expressions.free_indices(expression).empty())
        return std::optional<ExpressionTape>();
    auto tape = tape_of(model, expression);
    if (!tape)
        return pass_on(tape);
    return std::optional(std::move(*tape));
}

Result<void> ModelFormula::find_servers(ProcessModel& model, model::TimeDomain const& times) {
    auto const is_uncontended = [&](std::string const& name) {
        auto const& names = times.uncontended;
        return std::ranges::find(names, name, &model::UncontendedResource::name) != names.end();
    };
    std::vector<std::pair<Expression, std::string>> seen;  // by index and name
    for (auto const& process : model.processes) {
        auto const* const use = std::get_if<Use>(&process);
        if (use == nullptr || is_uncontended(use->resource.name))
            continue;
        std::pair const key(use->resource.index, use->resource.name);
        if (std::ranges::find(seen, key) != seen.end())
            continue;
        seen.push_back(key);
        auto index = tape_if_same_everywhere(model, use->resource.index);
        auto multiplicity = tape_if_same_everywhere(model, use->resource.multiplicity);
        if (!index || !multiplicity)
            return pass_on(index ? multiplicity : index);
        auto const name = std::ranges::find(resources_, use->resource.name) - resources_.begin();
        if (static_cast<std::size_t>(name) == resources_.size())
            resources_.push_back(use->resource.name);
        servers_.push_back({static_cast<std::uint32_t>(name), std::move(*index), std::move(*multiplicity)});
    }
    return {};
}

// Whose component of the work it is. One with an index that varies may be any that no other one is.
ModelFormula::Server const* ModelFormula::owner_of(std::uint64_t component, Values values) const {
    Server const* owner = nullptr;
    for (auto const& server : servers_) {
        if (!server.index) {
            owner = owner == nullptr ? &server : owner;
            continue;
        }
        auto const index = server.index->number(values);
        if (index && *index == static_cast<double>(component))
            return &server;
    }
    return owner;
}

// Whose work, divided by its servers, has the greatest mean.
Result<std::uint32_t> ModelFormula::busiest_resource(Values values) const {
    if (!work_)
        return servers_.front().name;
    auto const work = work_->components(values);
    if (!work)
        return pass_on(work);
    std::uint32_t busiest = servers_.front().name;
    double most = -1;
    for (auto const& component : work->components()) {
        auto const* const owner = owner_of(component.index, values);
        if (owner == nullptr)
            continue;
        auto const places = owner->multiplicity ? owner->multiplicity->number(values) : Result<double>(1.0);
        double const share = component.value.mean / (places && *places > 0 ? *places : 1);
        if (share > most) {
            most = share;
            busiest = owner->name;
        }
    }
    return busiest;
}

Result<std::vector<ResourceWork>> ModelFormula::resource_work(Values values) const {
    std::vector<ResourceWork> found;
    auto const divided_by = divisor(values);
    if (!divided_by)
        return pass_on(divided_by);
    if (!bounds_ || !bounds_->busiest)
        return found;
    auto const add = [&](Server const& server, auto const& work_of) {
        auto const places = server.multiplicity ? server.multiplicity->number(values) : Result<double>(1.0);
        double const servers = places && *places > 0 ? *places : 1;
        found.push_back({server.name, work_of(servers) / *divided_by, servers});
    };
    if (!work_) {
        auto const busiest = value_at(*bounds_->busiest, values);
        if (!busiest)
            return pass_on(busiest);
        add(servers_.front(), [&](double servers) { return busiest->mean * servers; });
        return found;
    }
    auto const work = work_->components(values);
    if (!work)
        return pass_on(work);
    for (auto const& component : work->components())
        if (auto const* const owner = owner_of(component.index, values))
            add(*owner, [&](double) { return component.value.mean; });
    std::ranges::stable_sort(found, std::greater(),
                             [](ResourceWork const& each) { return each.work / each.servers; });
    return found;
}

Result<double> ModelFormula::divisor(Values values) const {
    if (!per_)
        return 1.0;
    auto value = per_->number(values);
    if (value && *value == 0)
        return fail(ErrorCode::out_of_range, "times cannot be divided by 0 (--per)");
    return value;
}

Result<ModelPoint> ModelFormula::point(Values values) const {
    auto const divided_by = divisor(values);
    if (!divided_by)
        return pass_on(divided_by);
    auto critical_path = value_at(bounds_->critical_path, values);
    if (!critical_path)
        return pass_on(critical_path);
    if (is_process_ && critical_path->mean < 0)
        return fail(ErrorCode::out_of_range, "takes a time of " + three_digits(critical_path->mean) +
                                                 " in the mean: a time in it is negative");
    ModelPoint point;
    point.critical_path = scaled(1 / *divided_by, *critical_path);
    point.time = point.critical_path;
    if (!bounds_->busiest)
        return point;
    auto busiest = value_at(*bounds_->busiest, values);
    if (!busiest)
        return pass_on(busiest);
    auto resource = busiest_resource(values);
    if (!resource)
        return pass_on(resource);
    point.busiest = scaled(1 / *divided_by, *busiest);
    point.resource = *resource;
    point.time = stochastic::maximum(point.critical_path, point.busiest);
    point.is_bound_by_resource = point.busiest.mean > point.critical_path.mean;
    if (phases_.empty())
        return point;
    auto const parts = phases(values);
    if (!parts)
        return pass_on(parts);
    point.time = deterministic(0);
    point.is_bound_by_resource = false;
    for (auto const& phase : *parts) {
        point.time = point.time + phase.time;
        point.is_bound_by_resource |= phase.busiest.mean > phase.critical_path.mean;
    }
    return point;
}

Result<std::vector<ModelPhase>> ModelFormula::phases(Values values) const {
    auto const divided_by = divisor(values);
    if (!divided_by)
        return pass_on(divided_by);
    std::vector<ModelPhase> phases;
    for (auto const& phase : phases_) {
        auto critical_path = value_at(phase.critical_path, values);
        if (!critical_path)
            return pass_on(critical_path);
        ModelPhase part{phase.name, {}, scaled(1 / *divided_by, *critical_path), {}};
        part.time = part.critical_path;
        if (phase.busiest) {
            auto busiest = value_at(*phase.busiest, values);
            if (!busiest)
                return pass_on(busiest);
            part.busiest = scaled(1 / *divided_by, *busiest);
            part.time = stochastic::maximum(part.critical_path, part.busiest);
        }
        phases.push_back(std::move(part));
    }
    return phases;
}

}  // namespace parcast::forecast
