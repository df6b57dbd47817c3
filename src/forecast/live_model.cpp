#include "forecast/live_model.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "answer/model_sentences.h"
#include "ensemble/process_run.h"
#include "forecast/simulated_point.h"

namespace parcast::forecast {

namespace {

using pamela::Setting;

tl::unexpected<Error> first_error(std::span<pamela::Diagnostic const> diagnostics) {
    auto const found = std::ranges::find(diagnostics, pamela::Severity::error, &pamela::Diagnostic::severity);
    return fail(ErrorCode::inconsistent, found->message);
}

std::vector<double> values_of(std::span<LiveParameter const> parameters) {
    std::vector<double> values;
    for (auto const& parameter : parameters)
        values.push_back(parameter.value);
    return values;
}

// Values at which a model is tried: a number may only be moved if the formula has a value with it.
Result<LiveModel> open_and_try(ModelText const& text, std::span<Setting const> settings,
                               LiveQuestion const& question) {
    auto model = LiveModel::open(text, settings, question);
    if (!model)
        return model;
    if (auto const point = model->point(values_of(model->parameters())); !point)
        return pass_on(point);
    return model;
}

// Settings of the numbers of the text that have none yet.
std::vector<Setting> other_numbers(ModelText const& text, LiveModel& model, std::span<Setting const> given) {
    std::vector<Setting> others;
    for (auto const& name : pamela::named_numbers(text.text)) {
        auto const& equations = model.program().numeric_equations;
        auto const equation = std::ranges::find(equations, name, &NumericEquation::name);
        bool const is_parameter =
            std::ranges::find(model.parameters(), name, &LiveParameter::name) != model.parameters().end();
        bool const is_given = std::ranges::find(given, name, &Setting::name) != given.end();
        auto const& pool = model.program().expressions;
        if (!is_parameter && !is_given && equation != equations.end() &&
            pool.kind(equation->value) == symbolic::ExpressionKind::number)
            others.push_back({name, pool.value(equation->value), true});
    }
    return others;
}

}  // namespace

Result<LiveModel> LiveModel::open(ModelText const& text, std::span<Setting const> settings,
                                  LiveQuestion question) {
    auto compiled = pamela::compile(text.text, text.name, settings, text.read_file);
    if (!compiled.succeeded())
        return first_error(compiled.diagnostics);
    auto formula = ModelFormula::of(compiled.model, question.formula);
    if (!formula)
        return pass_on(formula);
    LiveModel model(std::move(compiled.model), std::move(*formula), std::move(question));
    for (auto const& [name, value] : model.model_.parameters) {
        if (!value)
            return fail(ErrorCode::unasked, "'" + name + "' has no value");
        model.parameters_.push_back({name, *value, is_count(model.model_, name)});
    }
    return model;
}

Result<PointWithSpread> LiveModel::point(std::span<double const> values) const {
    return point_with_spread(formula_, values, question_.levels, WithBand::yes);
}

Result<std::vector<ResourceWork>> LiveModel::resource_work(std::span<double const> values) const {
    return formula_.resource_work(values);
}

Result<std::vector<ModelPhase>> LiveModel::phases(std::span<double const> values) const {
    return formula_.phases(values);
}

Result<std::vector<ParameterEffect>> LiveModel::effects(std::span<double const> values) const {
    std::vector<VariedParameter> varied;
    for (std::size_t place = 0; place < parameters_.size(); ++place)
        varied.push_back({parameters_[place].name, place, parameters_[place].is_count});
    return effects_at(formula_, varied, {values.begin(), values.end()});
}

Result<std::vector<std::string>> LiveModel::sentences(std::span<double const> values) const {
    auto const found = point(values);
    if (!found)
        return pass_on(found);
    auto const known = effects(values);  // at the edge of what is allowed there are none
    return model_point_sentences(
        {.of = question_.formula.of,
         .per = question_.formula.per,
         .point = found->point,
         .levels = question_.levels,
         .quantiles = found->quantiles,
         .resources = resources(),
         .effects = known ? std::span<ParameterEffect const>(*known) : std::span<ParameterEffect const>(),
         .has_phases = question_.formula.phases});
}

Result<LiveSimulation> LiveModel::simulate(std::span<double const> values) const {
    auto const& processes = model_.process_equations;
    auto const process = std::ranges::find(processes, question_.formula.of, &ProcessEquation::name);
    if (process == processes.end())
        return fail(ErrorCode::unsupported,
                    "'" + question_.formula.of + "' is an equation, and only processes are simulated");
    auto const divisor = formula_.divisor(values);
    if (!divisor)
        return pass_on(divisor);
    auto const ensemble =
        ensemble::simulate(model_, process->root, values, ensemble_options(question_.simulation, 0));
    if (!ensemble)
        return pass_on(ensemble);
    return LiveSimulation{simulated_point(*ensemble, question_.levels, *divisor), ensemble->notes};
}

Result<OpenedModel> open_movable(ModelText const& text, std::span<Setting const> given,
                                 LiveQuestion const& question) {
    std::vector<Setting> settings(given.begin(), given.end());
    auto plain = LiveModel::open(text, settings, question);
    if (!plain)
        return pass_on(plain);
    OpenedModel opened{std::move(*plain), settings, {}};
    for (auto& setting : settings)
        setting.stays_symbolic = true;
    auto const others = other_numbers(text, opened.model, given);
    auto all = settings;
    std::ranges::copy(others, std::back_inserter(all));
    bool const are_few = all.size() <= most_movable;
    if (auto model = are_few ? open_and_try(text, all, question)
                             : Result<LiveModel>(fail(ErrorCode::unsupported, ""))) {
        opened.model = std::move(*model);
        opened.settings = std::move(all);
        return opened;
    }
    // One after the other: those with which the model can still be composed.
    for (auto const& setting : all) {
        auto& kept = opened.settings;
        if (kept.size() >= most_movable) {
            opened.immovable.push_back(
                {setting.name, "the page has room for " + std::to_string(most_movable) + " numbers"});
            continue;
        }
        auto const more = [&] {
            auto list = kept;
            std::erase_if(list, [&](Setting const& each) { return each.name == setting.name; });
            list.push_back(setting);
            return list;
        }();
        auto model = open_and_try(text, more, question);
        if (!model) {
            opened.immovable.push_back({setting.name, model.error().message});
            continue;
        }
        opened.model = std::move(*model);
        kept = more;
    }
    return opened;
}

}  // namespace parcast::forecast
