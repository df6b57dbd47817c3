#include "cli/predicted_model.h"

#include <algorithm>
#include <utility>

#include "cli/exit_status.h"
#include "cli/model_formula.h"
#include "cli/model_points.h"
#include "cli/model_simulation.h"
#include "cli/predicted_file.h"
#include "cli/predicted_graph.h"
#include "cli/process_model_file.h"
#include "core/counted.h"
#include "report/number_text.h"

namespace parcast::cli {

namespace {

constexpr char const* see_help = "Models and their options: parcast help predict.";

tl::unexpected<Error> refused(ErrorCode code, std::string message, std::string advice = see_help) {
    return fail(make_error(code, std::move(message), std::move(advice)));
}

tl::unexpected<Error> refused(Error const& error) {
    return fail(with_advice(error, see_help));
}

// Options of task graphs but for --set, and those of both other kinds.
std::optional<std::string> option_of_others(PredictArguments arguments) {
    if (arguments.cpus)
        return "--cpus";
    if (arguments.memory)
        return "--memory";
    arguments.graph.reading.set.clear();
    return option_of_task_graphs(arguments);
}

bool wants_formula(ModelArguments const& arguments) {
    return arguments.phases || arguments.sensitivity;
}

// What of the options does not fit together.
std::optional<std::string> conflict_in(PredictArguments const& arguments) {
    auto const& sweeps = arguments.model_file.sweeps;
    for (std::size_t i = 0; i < sweeps.size(); ++i) {
        auto const same = [&](Sweep const& other) { return other.name == sweeps[i].name; };
        if (std::find_if(sweeps.begin(), sweeps.begin() + static_cast<std::ptrdiff_t>(i), same) !=
            sweeps.begin() + static_cast<std::ptrdiff_t>(i))
            return "--sweep: '" + sweeps[i].name + "' goes through its values once; give them all at once";
    }
    double points = 1;
    for (auto const& sweep : sweeps)
        points *= static_cast<double>(sweep.values.size());
    if (points > static_cast<double>(most_points))
        return "--sweep: more than " + count_text(static_cast<std::int64_t>(most_points)) +
               " points together";
    bool const has_axis =
        std::ranges::any_of(sweeps, [](Sweep const& sweep) { return sweep.values.size() > 1; });
    auto const method = arguments.model_file.method.value_or(report::ModelMethod::moments);
    if (method == report::ModelMethod::simulate && wants_formula(arguments.model_file))
        return "--phases and --sensitivity are of the formula: take --method both";
    auto const& simulation = arguments.model_file.simulation;
    if (method == report::ModelMethod::moments &&
        (simulation.runs || simulation.precision || simulation.seed))
        return "--runs, --precision and --seed are of the simulation: take --method simulate or both";
    if (arguments.model_file.plot && !has_axis)
        return "--plot draws the time against a parameter: name it with --sweep, such as --sweep P=1..64";
    return std::nullopt;
}

// What is swept stays in the formulas, whatever the text says; what is set does not.
Result<std::vector<pamela::Setting>> settings_of(PredictArguments const& arguments) {
    std::vector<pamela::Setting> settings;
    for (auto const& assignment : arguments.graph.reading.set) {
        auto const setting = setting_in(assignment);
        if (!setting)
            return refused(ErrorCode::unasked, "--set: " + setting.error().message + ".");
        settings.push_back(*setting);
    }
    for (auto const& sweep : arguments.model_file.sweeps) {
        if (std::ranges::find(settings, sweep.name, &pamela::Setting::name) != settings.end())
            return refused(ErrorCode::unasked,
                           "'" + sweep.name + "' has a value by --set and others by --sweep.");
        settings.push_back({sweep.name, sweep.values.front(), true});
    }
    return settings;
}

// For the sensitivity every number that has a name is a parameter.
void keep_numbers_symbolic(std::vector<pamela::Setting>& settings, ProcessModel const& model) {
    for (auto& setting : settings)
        setting.stays_symbolic = true;
    for (auto const& equation : model.numeric_equations) {
        bool const is_number = model.expressions.kind(equation.value) == symbolic::ExpressionKind::number;
        bool const is_set =
            std::ranges::find(settings, equation.name, &pamela::Setting::name) != settings.end();
        if (is_number && !is_set)
            settings.push_back({equation.name, model.expressions.value(equation.value), true});
    }
}

Result<ProcessModel> model_of(PredictArguments const& arguments, std::vector<pamela::Setting> const& given) {
    auto model = read_process_model(arguments.file, given);
    if (!model || !arguments.model_file.sensitivity)
        return model;
    auto settings = given;
    keep_numbers_symbolic(settings, *model);
    return read_process_model(arguments.file, settings, Diagnostics::keep_quiet);
}

// main; T_main of a formula that is fed back in; or the only process there is.
Result<std::string> what_is_asked(PredictArguments const& arguments, ProcessModel const& model) {
    if (arguments.model_file.of)
        return *arguments.model_file.of;
    auto const& processes = model.process_equations;
    if (std::ranges::find(processes, "main", &ProcessEquation::name) != processes.end())
        return "main";
    if (std::ranges::find(model.numeric_equations, "T_main", &NumericEquation::name) !=
        model.numeric_equations.end())
        return "T_main";
    if (processes.size() == 1)
        return processes.front().name;
    return refused(ErrorCode::unasked, "the model has no process 'main': say with --of which is meant.");
}

// The values of the model's parameters, those that are swept by their first one.
Result<std::vector<double>> values_of(ProcessModel const& model) {
    std::vector<double> values;
    for (auto const& parameter : model.parameters) {
        if (!parameter.value)
            return refused(ErrorCode::unasked, "'" + parameter.name + "' has no value.",
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
std::vector<std::pair<std::string, double>> fixed_values(ProcessModel const& model,
                                                         std::vector<pamela::Setting> const& given,
                                                         std::vector<Sweep> const& sweeps) {
    std::vector<std::pair<std::string, double>> fixed;
    for (auto const& setting : given)
        if (std::ranges::find(sweeps, setting.name, &Sweep::name) == sweeps.end())
            fixed.emplace_back(setting.name, setting.value);
    for (auto const& parameter : model.parameters) {
        bool const is_given = std::ranges::find(given, parameter.name, &pamela::Setting::name) != given.end();
        if (!is_given && parameter.value)
            fixed.emplace_back(parameter.name, *parameter.value);
    }
    return fixed;
}

std::string points_text(std::size_t count) {
    return counted(static_cast<std::int64_t>(count), "point");
}

std::vector<std::string> notes_on(report::ModelPrediction const& prediction) {
    std::vector<std::string> notes;
    auto const not_attainable =
        std::ranges::count(prediction.points, false, &report::ModelPoint::is_attainable);
    auto const not_matched = std::ranges::count(prediction.points, false, &report::ModelPoint::is_matched);
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
    if (prediction.method == report::ModelMethod::both)
        return notes;
    auto const near = std::ranges::count_if(prediction.points, [](report::ModelPoint const& point) {
        return point.resource && point.busiest.mean > 0.75 * point.critical_path.mean &&
               point.busiest.mean < 1.25 * point.critical_path.mean;
    });
    if (near > 0)
        notes.push_back(
            "At " + points_text(static_cast<std::size_t>(near)) +
            " a resource is nearly as busy as the critical path is long: there queueing, which the "
            "formula leaves out, costs most. --method both shows it.");
    return notes;
}

std::vector<std::string> assumptions_of(report::ModelPrediction const& prediction) {
    std::vector<std::string> assumptions{
        "Random times, counts and conditions are independent of each other.",
        "Parallel branches end with the last of them; the law of each is taken from its four moments."};
    if (!prediction.resources.empty()) {
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

Result<void> add_phases(report::ModelPrediction& prediction, Plan const& plan) {
    for (std::size_t point = 0; point < plan.grid.size(); ++point) {
        auto phases = plan.formula.phases(plan.grid.values(point));
        if (!phases)
            return pass_on(phases);
        prediction.phases.push_back(std::move(*phases));
    }
    return {};
}

Result<void> add_effects(report::ModelPrediction& prediction, Plan const& plan) {
    std::vector<VariedParameter> parameters;
    for (std::size_t place = 0; place < plan.model.parameters.size(); ++place) {
        auto const& name = plan.model.parameters[place].name;
        parameters.push_back({name, place, is_count(plan.model, name)});
    }
    for (std::size_t point = 0; point < plan.grid.size(); ++point) {
        auto effects = effects_at(plan.formula, parameters, plan.grid.values(point));
        if (!effects)
            return pass_on(effects);
        prediction.effects.push_back(std::move(*effects));
    }
    return {};
}

Result<void> add_formula(report::ModelPrediction& prediction, Plan const& plan,
                         ModelArguments const& arguments, unsigned workers) {
    auto results = evaluate(plan.formula, plan.grid, prediction.levels,
                            arguments.plot || arguments.band ? WithBand::yes : WithBand::no, workers);
    if (!results)
        return fail(results.error().code, "'" + prediction.of + "'" + results.error().message);
    prediction.points = std::move(results->points);
    prediction.quantiles = std::move(results->quantiles);
    prediction.band = std::move(results->band);
    prediction.resources = plan.formula.resources();
    if (arguments.phases) {
        if (auto added = add_phases(prediction, plan); !added)
            return added;
    }
    if (arguments.sensitivity)
        return add_effects(prediction, plan);
    return {};
}

// What is executed beside the formula, or in its place.
Result<void> add_processes(report::ModelPrediction& prediction, Plan const& plan,
                           ModelArguments const& arguments, unsigned workers) {
    auto const process =
        std::ranges::find(plan.model.process_equations, prediction.of, &ProcessEquation::name);
    bool const simulates = prediction.method != report::ModelMethod::moments;
    if (process == plan.model.process_equations.end()) {
        if (simulates)
            return fail(ErrorCode::unsupported, "'" + prediction.of +
                                                    "' is an equation, and only processes are simulated: "
                                                    "name one with --of, or leave out --method");
        return {};
    }
    SimulatedProcess const simulated{plan.model, process->root, plan.grid, plan.formula};
    if (auto added = add_mean_value_analysis(prediction, simulated); !added)
        return added;
    return simulates ? add_simulation(prediction, simulated, arguments.simulation, workers) : Result<void>();
}

report::ModelPrediction described(PredictArguments const& arguments, std::string of) {
    report::ModelPrediction prediction;
    prediction.file = arguments.file;
    prediction.of = std::move(of);
    prediction.method = arguments.model_file.method.value_or(report::ModelMethod::moments);
    prediction.per = arguments.model_file.per;
    prediction.levels = arguments.model_file.levels.value_or(std::vector<double>{50, 95, 99});
    for (auto const& sweep : arguments.model_file.sweeps)
        prediction.swept.push_back({sweep.name, sweep.values, sweep.is_logarithmic});
    return prediction;
}

}  // namespace

Result<report::ModelPrediction> predicted_model(PredictArguments const& arguments) {
    if (auto const option = option_of_recordings(arguments))
        return refused(ErrorCode::unasked,
                       *option + " is for recordings, and " + arguments.file + " is a model.");
    if (auto const option = option_of_others(arguments))
        return refused(ErrorCode::unasked,
                       *option + " is not for models, and " + arguments.file + " is one.");
    if (auto const conflict = conflict_in(arguments))
        return refused(ErrorCode::unasked, *conflict + ".");
    auto const settings = settings_of(arguments);
    if (!settings)
        return pass_on(settings);
    auto model = model_of(arguments, *settings);
    if (!model)
        return pass_on(model);
    auto const of = what_is_asked(arguments, *model);
    if (!of)
        return pass_on(of);
    auto const values = values_of(*model);
    if (!values)
        return pass_on(values);

    auto prediction = described(arguments, *of);
    prediction.fixed = fixed_values(*model, *settings, arguments.model_file.sweeps);
    auto const formula =
        ModelFormula::of(*model, {*of, arguments.model_file.per, arguments.model_file.phases});
    if (!formula)
        return refused(formula.error());
    std::vector<std::size_t> places;
    for (auto const& sweep : arguments.model_file.sweeps)
        places.push_back(place_of(*model, sweep.name));
    ModelGrid const grid(*values, prediction.swept, places);
    Plan const plan{*formula, grid, *model};
    if (prediction.method != report::ModelMethod::simulate) {
        auto const added = add_formula(prediction, plan, arguments.model_file, workers(arguments));
        if (!added)
            return refused(added.error());
        prediction.assumptions = assumptions_of(prediction);
    }
    prediction.notes = notes_on(prediction);
    if (auto const added = add_processes(prediction, plan, arguments.model_file, workers(arguments)); !added)
        return refused(added.error());
    return prediction;
}

std::optional<std::string> option_of_models(PredictArguments const& arguments) {
    auto const& model = arguments.model_file;
    if (!model.sweeps.empty())
        return "--sweep";
    if (model.levels)
        return "--quantiles";
    if (model.method)
        return "--method";
    if (model.of)
        return "--of";
    if (model.per)
        return "--per";
    if (model.plot)
        return "--plot";
    if (model.simulation.runs)
        return "--runs";
    if (model.simulation.precision)
        return "--precision";
    if (model.simulation.seed)
        return "--seed";
    if (model.phases)
        return "--phases";
    return model.sensitivity ? std::optional<std::string>("--sensitivity") : std::nullopt;
}

}  // namespace parcast::cli
