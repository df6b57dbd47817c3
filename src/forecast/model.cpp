#include "forecast/forms.h"

#include <algorithm>
#include <utility>

#include "answer/number_text.h"
#include "core/counted.h"
#include "forecast/model_effects.h"
#include "forecast/model_formula.h"
#include "forecast/model_points.h"
#include "forecast/model_simulation.h"
#include "forecast/sweep_text.h"

namespace parcast::forecast {

namespace {

constexpr char const* see_help = "Models and their options: parcast help predict.";

tl::unexpected<Error> refused(ErrorCode code, std::string message, std::string advice = see_help) {
    return fail(make_error(code, std::move(message), std::move(advice)));
}

tl::unexpected<Error> refused(Error const& error) {
    return fail(with_advice(error, see_help));
}

bool wants_formula(SweepQuestion const& arguments) {
    return arguments.phases || arguments.sensitivity;
}

// What of the options does not fit together.
std::optional<std::string> conflict_in(SweepQuestion const& question) {
    if (auto const checked = check_axes(question.sweeps); !checked)
        return checked.error().message;
    for (auto const& sweep : question.sweeps)
        if (sweep.has_units)
            return "--sweep: '" + sweep.name + "' is a number of the model, without a unit";
    auto const method = question.method.value_or(ModelMethod::moments);
    if (method == ModelMethod::simulate && wants_formula(question))
        return "--phases and --sensitivity are of the formula: take --method both";
    auto const& simulation = question.simulation;
    if (simulation.runs == 0U)
        return "--runs 0 is for recordings: a model is simulated at least once";
    if (method == ModelMethod::moments && (simulation.runs || simulation.precision || simulation.seed))
        return "--runs, --precision and --seed are of the simulation: take --method simulate or both";
    return std::nullopt;
}

// main; T_main of a formula that is fed back in; or the only process there is.
Result<std::string> asked_process(SweepQuestion const& question, ProcessModel const& model) {
    if (question.of)
        return *question.of;
    auto const& processes = model.process_equations;
    if (std::ranges::find(processes, "main", &ProcessEquation::name) != processes.end())
        return "main";
    if (std::ranges::find(model.numeric_equations, "T_main", &NumericEquation::name) !=
        model.numeric_equations.end())
        return "T_main";
    if (processes.size() == 1)
        return processes.front().name;
    return refused(ErrorCode::unasked, "the model has no process 'main': say with --of which is meant");
}

// The values of the model's parameters, those that are swept by their first one.
Result<std::vector<double>> values_of(ProcessModel const& model) {
    std::vector<double> values;
    for (auto const& parameter : model.parameters) {
        if (!parameter.value)
            return refused(ErrorCode::unasked, "'" + parameter.name + "' has no value",
                           "Give it one with --set " + parameter.name + "=VALUE, or several with --sweep " +
                               parameter.name + "=1..100:log.");
        values.push_back(*parameter.value);
    }
    return values;
}

std::size_t place_of(ProcessModel const& model, std::string const& name) {
    auto const found = std::ranges::find(model.parameters, name, &ModelParameter::name);
    return static_cast<std::size_t>(found - model.parameters.begin());
}

// Those that have one value at all points: set, or in the model's text.
std::vector<std::pair<std::string, double>> fixed_values(
    ProcessModel const& model, std::vector<std::pair<std::string, double>> const& given,
    std::vector<Sweep> const& sweeps) {
    std::vector<std::pair<std::string, double>> fixed;
    for (auto const& [name, value] : given)
        if (std::ranges::find(sweeps, name, &Sweep::name) == sweeps.end())
            fixed.emplace_back(name, value);
    for (auto const& parameter : model.parameters) {
        bool const is_given =
            std::ranges::find(given, parameter.name, &std::pair<std::string, double>::first) != given.end();
        if (!is_given && parameter.value)
            fixed.emplace_back(parameter.name, *parameter.value);
    }
    return fixed;
}

std::string points_text(std::size_t count) {
    return counted(static_cast<std::int64_t>(count), "point");
}

std::vector<std::string> notes_on(Answer const& prediction) {
    std::vector<std::string> notes;
    auto const not_attainable =
        std::ranges::count(prediction.model().points, false, &ModelPoint::is_attainable);
    auto const not_matched = std::ranges::count(prediction.model().points, false, &ModelPoint::is_matched);
    if (not_attainable > 0)
        notes.push_back(
            "At " + points_text(static_cast<std::size_t>(not_attainable)) +
            " no law has these four moments (the kurtosis is below the square of the skewness and 1): "
            "some input has moments that are formal, and the quantiles are a guess.");
    else if (not_matched > 0)
        notes.push_back(
            "At " + points_text(static_cast<std::size_t>(not_matched)) +
            " no law with these four moments is known here: the quantiles are of one that has the first "
            "two or three.");
    if (prediction.model().method == ModelMethod::both)
        return notes;
    auto const near = std::ranges::count_if(prediction.model().points, [](ModelPoint const& point) {
        return point.resource && point.busiest.mean > 0.75 * point.critical_path.mean &&
               point.busiest.mean < 1.25 * point.critical_path.mean;
    });
    if (near > 0)
        notes.push_back(
            "At " + points_text(static_cast<std::size_t>(near)) +
            " a resource is nearly as busy as the critical path is long. There the formula, which leaves "
            "queueing out, is least exact: --method both shows by how much.");
    return notes;
}

std::vector<std::string> assumptions_of(Answer const& prediction) {
    std::vector<std::string> assumptions{
        "Random times, counts and conditions are independent of each other.",
        "Parallel branches end with the last of them; the law of each is taken from its four moments."};
    if (!prediction.model().resources.empty()) {
        assumptions.push_back(
            "Waiting for a resource is a lower bound: the time is at least the work of the busiest one, "
            "divided by "
            "its servers, and at least the critical path; no other queueing is counted.");
        assumptions.push_back("The critical path and that work are independent of each other.");
    }
    return assumptions;
}

// Several of the results by point.
struct Plan {
    ModelFormula const& formula;
    ModelGrid const& grid;
    ProcessModel const& model;
};

Result<void> add_phases(Answer& prediction, Plan const& plan) {
    for (std::size_t point = 0; point < plan.grid.size(); ++point) {
        auto phases = plan.formula.phases(plan.grid.values(point));
        if (!phases)
            return pass_on(phases);
        prediction.model().phases.push_back(std::move(*phases));
    }
    return {};
}

Result<void> add_effects(Answer& prediction, Plan const& plan) {
    std::vector<VariedParameter> parameters;
    for (std::size_t place = 0; place < plan.model.parameters.size(); ++place) {
        auto const& name = plan.model.parameters[place].name;
        parameters.push_back({name, place, is_count(plan.model, name)});
    }
    for (std::size_t point = 0; point < plan.grid.size(); ++point) {
        auto effects = effects_at(plan.formula, parameters, plan.grid.values(point));
        if (!effects)
            return pass_on(effects);
        prediction.model().effects.push_back(std::move(*effects));
    }
    return {};
}

Result<void> add_formula(Answer& prediction, Plan const& plan, Question const& question) {
    auto const& asked = question.sweep;
    auto results = evaluate(plan.formula, plan.grid, prediction.model().levels,
                            asked.band ? WithBand::yes : WithBand::no, question.workers);
    if (!results)
        return pass_on(results, "'" + prediction.model().of + "'");
    prediction.model().points = std::move(results->points);
    prediction.model().quantiles = std::move(results->quantiles);
    prediction.model().band = std::move(results->band);
    prediction.model().resources = plan.formula.resources();
    if (asked.phases) {
        if (auto added = add_phases(prediction, plan); !added)
            return added;
    }
    if (asked.sensitivity)
        return add_effects(prediction, plan);
    return {};
}

// What is executed beside the formula, or in its place.
Result<void> add_processes(Answer& prediction, Plan const& plan, Question const& question) {
    auto const process =
        std::ranges::find(plan.model.process_equations, prediction.model().of, &ProcessEquation::name);
    bool const simulates = prediction.model().method != ModelMethod::moments;
    if (process == plan.model.process_equations.end()) {
        if (simulates)
            return fail(ErrorCode::unsupported, "'" + prediction.model().of +
                                                    "' is an equation, and only processes are simulated: "
                                                    "name one with --of, or leave out --method");
        return {};
    }
    SimulatedProcess const simulated{plan.model, process->root, plan.grid, plan.formula};
    if (auto added = add_mean_value_analysis(prediction, simulated); !added)
        return added;
    return simulates ? add_simulation(prediction, simulated, question) : Result<void>();
}

Answer begin_answer(std::string const& file, SweepQuestion const& asked, std::string of) {
    Answer answer;
    answer.file = file;
    auto& basis = answer.basis.emplace<ModelBasis>();
    basis.of = std::move(of);
    basis.method = asked.method.value_or(ModelMethod::moments);
    basis.per = asked.per;
    basis.levels = asked.levels.value_or(std::vector<double>{50, 95, 99});
    basis.swept = asked.sweeps;
    return answer;
}

}  // namespace

Result<void> check_sweep(SweepQuestion const& question) {
    auto const conflict = conflict_in(question);
    return conflict ? Result<void>(refused(ErrorCode::unasked, *conflict)) : Result<void>();
}

Result<Forecast> forecast_model(std::string const& file, GivenModel given, Question const& question) {
    auto const& asked = question.sweep;
    auto& model = given.model;
    auto const of = asked_process(asked, model);
    if (!of)
        return pass_on(of);
    auto const values = values_of(model);
    if (!values)
        return pass_on(values);

    auto answer = begin_answer(file, asked, *of);
    auto& basis = answer.model();
    basis.fixed = fixed_values(model, given.given, asked.sweeps);
    auto const formula = ModelFormula::of(model, {*of, asked.per, asked.phases});
    if (!formula)
        return refused(formula.error());
    std::vector<std::size_t> places;
    for (auto const& sweep : asked.sweeps)
        places.push_back(place_of(model, sweep.name));
    ModelGrid const grid(*values, basis.swept, places);
    Plan const plan{*formula, grid, model};
    if (basis.method != ModelMethod::simulate) {
        if (auto const added = add_formula(answer, plan, question); !added)
            return refused(added.error());
        answer.assumptions = assumptions_of(answer);
    }
    answer.notes = notes_on(answer);
    if (auto const added = add_processes(answer, plan, question); !added)
        return refused(added.error());
    return Forecast{std::move(model), {}, std::move(answer)};
}

}  // namespace parcast::forecast
