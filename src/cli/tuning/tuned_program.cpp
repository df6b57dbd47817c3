#include "cli/tuning/tuned_program.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>
#include <sstream>
#include <system_error>

#include <nlohmann/json.hpp>

#include "answer/number_text.h"
#include "cli/files/files.h"
#include "cli/options/option_values.h"
#include "cli/options/prediction_options.h"
#include "cli/options/target_machine.h"
#include "cli/tuning/kept_results.h"
#include "cli/version.h"
#include "core/leading_number.h"
#include "core/suggestion.h"
#include "forecast/sweep_text.h"
#include "machine/network_text.h"
#include "model/deterministic/policies_for.h"

namespace parcast::cli {

namespace {

using Json = nlohmann::ordered_json;

constexpr char const* see_help = "What can be searched, with examples: parcast help tune";

tl::unexpected<Error> unasked(std::string message) {
    return fail(make_error(ErrorCode::unasked, std::move(message), see_help));
}

// An option that takes a value and serves the form; null: there is none.
Option const* option_named(OptionTable const& table, std::string_view name, Form form) {
    for (auto const& option : table.own_options())
        if (option.name().substr(2) == name && !option.is_flag() && option.forms.has(form))
            return &option;
    return nullptr;
}

// Numbers rise, whatever the order in which they are written.
TuningAxis axis_of(std::string name, std::vector<std::string> values) {
    TuningAxis axis{std::move(name), std::move(values)};
    std::vector<std::pair<double, std::string>> numbers;
    for (auto const& value : axis.values)
        if (auto const number = number_in(value))
            numbers.emplace_back(*number, value);
    if (numbers.size() < axis.values.size())
        return axis;
    std::ranges::stable_sort(numbers, {}, &std::pair<double, std::string>::first);
    axis.values.clear();
    for (auto& [number, text] : numbers) {
        axis.numbers.push_back(number);
        axis.values.push_back(std::move(text));
    }
    return axis;
}

// "block=10,20", "n=1..64"
Result<TuningAxis> parse_axis(std::string const& text) {
    auto const sign = text.find('=');
    if (sign == 0 || sign == std::string::npos || sign + 1 == text.size())
        return unasked("--sweep: \"" + text + "\" is no name with values, such as block=10,20,40");
    auto name = text.substr(0, sign);
    std::vector<std::string> values;
    if (text.find("..", sign) != std::string::npos) {
        auto const sweep = forecast::parse_sweep(text);
        if (!sweep)
            return unasked("--sweep: " + sweep.error().message);
        for (auto const value : sweep->values)
            values.push_back(exact_number_text(value));
    } else {
        std::istringstream words(text.substr(sign + 1));
        for (std::string word; std::getline(words, word, ',');)
            values.push_back(word);
    }
    std::set<std::string> const once(values.begin(), values.end());
    if (once.size() < values.size() || once.contains(""))
        return unasked("--sweep " + name + ": " +
                       (once.contains("") ? "a value is empty" : "a value is there twice"));
    return axis_of(std::move(name), std::move(values));
}

std::string joined(std::vector<std::string> const& words) {
    std::string text;
    for (auto const& word : words)
        text.append(text.empty() ? "" : " ").append(word);
    return text;
}

bool is_file(std::string const& name) {
    std::error_code ignored;
    return std::filesystem::is_regular_file(name, ignored);
}

// What the options say, and what is in the files that they name.
Result<Json> contents_of(TypedOptions options) {
    std::ranges::sort(options);
    Json json = Json::object();
    for (auto const& [name, values] : options) {
        json[name] = values;
        for (auto const& value : values) {
            if (!is_file(value))
                continue;
            auto const text = read_text(value);
            if (!text)
                return pass_on(text);
            json[name].push_back(content_hash(*text));
        }
    }
    return json;
}

Json values_json(NetworkValues const& values) {
    Json json{{"rendezvous_bytes", values.rendezvous_bytes}};
    for (auto const& field : network_fields)
        json[std::string(field.key)] = values.*field.value;
    return json;
}

Json network_json(Network const& network) {
    Json json{{"kind", network_kinds[static_cast<std::size_t>(network.kind)]},
              {"values", values_json(network.values)}};
    if (network.node)
        json["node"] = values_json(*network.node);
    return json;
}

bool is_generator_parameter(std::string_view name) {
    return std::ranges::find(generator_parameters(), name, &GeneratorParameter::name) !=
           generator_parameters().end();
}

Error no_subject(std::string const& name) {
    std::vector<std::string_view> structures;
    for (auto const& structure : generate::message_structures)
        structures.push_back(structure.name);
    auto const meant = nearest(name, structures);
    return make_error(ErrorCode::not_found, "there is no file " + name + ", and no structure of that name",
                      meant ? "Did you mean: " + std::string(*meant) : see_help);
}

}  // namespace

void describe_question(OptionTable& options, TunedQuestion& question) {
    options.keep_typed(&question.typed);
    options.section({Form::steps});
    describe_generators(options, question.settings);
    describe_cpus(options, question.predict);
    describe_messages(options, question.predict);
    describe_steps(options, question.predict);
    describe_task_graph(options, question.predict);
    describe_machine(options, question.predict);
    describe_model_method(options, question.predict.question.sweep);
    options.keep_typed(nullptr);
}

Result<TunedProgram> TunedProgram::open(TunedQuestion question, GivenOptions const& given) {
    TunedProgram program(std::move(question));
    auto const& file = program.subject();
    if (auto const checked = program.is_generated() ? given.check(Form::steps, file) : given.check_file(file);
        !checked)
        return pass_on(checked);
    std::error_code ignored;
    if (!program.is_generated() && !std::filesystem::exists(file, ignored))
        return fail(no_subject(file));
    program.form_ = program.is_generated() ? Form::steps : form_of(file);
    for (auto const& [name, text] : program.question_.settings)
        if (!program.is_generated())
            return unasked("--" + name + " is for a program that is generated; " + file + " is a file");
    if (auto const added = program.add_axes(); !added)
        return pass_on(added);
    program.given_ = given;
    if (auto const opened = program.open_input_once(); !opened)
        return pass_on(opened);
    if (auto const added = program.add_usual_axes_of_graph(); !added)
        return pass_on(added);
    bool const is_read_again =
        program.form_ != Form::model && std::ranges::any_of(program.grid_.axes, [&](TuningAxis const& axis) {
            return program.changes_reading(axis);
        });
    if (is_read_again)
        program.input_.reset();
    if (auto const checked = program.check_axes(); !checked)
        return pass_on(checked);
    return program;
}

Result<void> TunedProgram::add_axes() {
    for (auto const& text : question_.sweeps) {
        auto axis = parse_axis(text);
        if (!axis)
            return pass_on(axis);
        if (std::ranges::find(grid_.axes, axis->name, &TuningAxis::name) != grid_.axes.end())
            return unasked("--sweep: " + axis->name + " goes through its values once; give them all at once");
        if (std::ranges::find(question_.typed, axis->name, &TypedOptions::value_type::first) !=
            question_.typed.end())
            return unasked(axis->name + " has a value by --" + axis->name + " and others by --sweep");
        grid_.axes.push_back(std::move(*axis));
    }
    if (grid_.axes.empty() && form_ != Form::task_graph)
        return unasked("tune goes through the values of something: name it with --sweep, such as " +
                       std::string(is_generated()            ? "--sweep block=10,20,40"
                                   : form_ == Form::messages ? "--sweep network=loggopsim,infiniband-qdr"
                                   : form_ == Form::steps    ? "--sweep network=meiko-cs2,infiniband-qdr"
                                                             : "--sweep P=1..64"));
    return {};
}

// A value of the axis changes how the file is read, not only what is asked of it.
bool TunedProgram::changes_reading(TuningAxis const& axis) const {
    OptionTable table;
    TunedQuestion ignored;
    describe_question(table, ignored);
    return option_named(table, axis.name, form_) == nullptr || axis.name == "unit" ||
           axis.name == "flops-per-ns";
}

Result<void> TunedProgram::open_input_once() {
    if (is_generated())
        return {};
    auto arguments = question_.predict;
    for (auto const& axis : grid_.axes) {
        if (form_ == Form::model && !axis.is_numeric())
            return unasked("--sweep " + axis.name + ": a parameter of a model has numbers");
        if (form_ == Form::model)
            arguments.question.sweep.sweeps.push_back({axis.name, axis.numbers, false});
        else if (form_ == Form::task_graph && changes_reading(axis) && axis.name != "unit")
            arguments.reading.set.push_back(axis.name + "=" + axis.values.front());
    }
    auto input = open_input(arguments, given_);
    if (!input)
        return pass_on(input);
    input_ = std::move(*input);
    return {};
}

// What is not named is searched.
Result<void> TunedProgram::add_usual_axes_of_graph() {
    if (form_ != Form::task_graph)
        return {};
    auto const add = [&](std::string const& name, std::vector<std::string> values) {
        if (values.size() > 1)
            grid_.axes.push_back(axis_of(name, std::move(values)));
    };
    auto const is_swept = [&](std::string_view name) {
        return std::ranges::find(grid_.axes, name, &TuningAxis::name) != grid_.axes.end();
    };
    if (!is_swept("cpus")) {
        auto const target = target_machine(question_.predict, form_);
        if (!target)
            return pass_on(target);
        std::vector<std::string> counts;
        for (auto const count : target->cpus)
            counts.push_back(std::to_string(count));
        add("cpus", std::move(counts));
    }
    if (!is_swept("schedule")) {
        auto names = question_.predict.question.schedule.schedules;
        if (names.empty() || names == std::vector<std::string>{"all"}) {
            names.clear();
            for (auto const& policy : model::policies_for(std::get<ImportedGraph>(input_->content).graph))
                names.push_back(name_of(policy));
        }
        add("schedule", std::move(names));
    }
    if (grid_.axes.empty())
        return unasked(
            "one number of CPUs and one schedule leave nothing to search; name more with --cpus, --schedule "
            "or "
            "--sweep");
    return {};
}

Result<void> TunedProgram::check_axes() const {
    double points = 1;
    for (auto const& axis : grid_.axes)
        points *= static_cast<double>(axis.values.size());
    if (points > static_cast<double>(most_tuned_points))
        return unasked("--sweep: more than a million points together");
    if (form_ == Form::model)
        return {};
    TunedQuestion scratch = question_;
    OptionTable table;
    describe_question(table, scratch);
    for (auto const& axis : grid_.axes) {
        auto const* const option = option_named(table, axis.name, form_);
        if (is_generator_parameter(axis.name) && !is_generated())
            return unasked("--sweep " + axis.name + " is for a program that is generated; " + subject() +
                           " is a file");
        if (option == nullptr && form_ == Form::task_graph)
            continue;  // its own parameter: reading says whether it has it
        if (option == nullptr) {
            std::string names;
            for (auto const& each : table.own_options())
                if (option_named(table, each.name().substr(2), form_) == &each &&
                    (is_generated() || !is_generator_parameter(each.name().substr(2))))
                    names.append(names.empty() ? "" : ", ").append(each.name().substr(2));
            return unasked("--sweep: there is no parameter " + axis.name + "; there are " + names);
        }
        for (auto const& value : axis.values)
            if (auto const stored = option->store({value}); !stored)
                return unasked("--sweep " + axis.name + ": " + stored.error().message);
    }
    if (is_generated())
        if (auto const generators = step_generators(subject(), scratch.settings); !generators)
            return fail(make_error(ErrorCode::unasked, generators.error().message, see_help));
    return {};
}

Result<TunedQuestion> TunedProgram::question_of(std::uint64_t point) const {
    TunedQuestion at = question_;
    OptionTable table;
    describe_question(table, at);
    for (std::size_t axis = 0; axis < grid_.axes.size(); ++axis) {
        auto const& name = grid_.axes[axis].name;
        auto const& value = grid_.value(point, axis);
        if (auto const* const option = option_named(table, name, form_)) {
            if (auto const stored = option->store({value}); !stored)
                return pass_on(stored);
        } else {
            at.predict.reading.set.push_back(name + "=" + value);
        }
    }
    return at;
}

Result<Input> TunedProgram::input_of(TunedQuestion const& at) const {
    if (input_)
        return *input_;
    if (!is_generated())
        return open_input(at.predict, given_);
    auto const generators = step_generators(subject(), at.settings);
    if (!generators)
        return pass_on(generators);
    auto program = generated_steps(subject(), *generators);
    if (!program)
        return fail(make_error(ErrorCode::unasked, program.error().message, see_help));
    return Input{subject(), std::move(*program)};
}

std::vector<TuningMethod> TunedProgram::methods() const {
    auto const method = question_.predict.question.sweep.method.value_or(ModelMethod::moments);
    TuningMethod const formula{"mean", "by formula"};
    TuningMethod const simulated{"simulated", "simulated"};
    switch (form_) {
        case Form::steps:
            return {{"standard", "by the standard algorithm"},
                    {"overestimate", "by the overestimate"},
                    {"overlapped", "with computing and communicating overlapped"}};
        case Form::model:
            return method == ModelMethod::both       ? std::vector{formula, simulated}
                   : method == ModelMethod::simulate ? std::vector{simulated}
                                                     : std::vector{formula};
        default: return {{"time", ""}};
    }
}

std::vector<std::pair<std::string, std::string>> TunedProgram::fixed() const {
    std::vector<std::pair<std::string, std::string>> fixed;
    auto const is_swept = [&](std::string_view name) {
        return std::ranges::find(grid_.axes, name, &TuningAxis::name) != grid_.axes.end();
    };
    auto const typed = [&](std::string_view name) {
        return std::ranges::find(question_.typed, name, &TypedOptions::value_type::first);
    };
    if (auto const generators = step_generators(subject(), question_.settings); is_generated() && generators)
        for (auto const& parameter : generator_parameters()) {
            if (!parameter.is_of(subject()) || is_swept(parameter.name) ||
                typed(parameter.name) != question_.typed.end())
                continue;
            auto const content = parameter.content(*generators, subject());
            bool const is_short = content.find('\n') == std::string::npos && !content.empty();
            if (is_short && !parameter.value.empty())
                fixed.emplace_back(parameter.name, content);
        }
    for (auto const& [name, values] : question_.typed)
        if (name != "network" && !is_swept(name))
            fixed.emplace_back(name, joined(values));
    return fixed;
}

std::string TunedProgram::network_text() const {
    bool const is_swept = std::ranges::any_of(
        grid_.axes, [](TuningAxis const& axis) { return axis.name == "network" || axis.name == "machine"; });
    if (!networked_forms.has(form_) || is_swept)
        return {};
    auto const target = target_machine(question_.predict, form_);
    if (!target || !target->machine.shape.network)
        return {};
    auto const& network = *target->machine.shape.network;
    auto const kind = form_ == Form::steps ? NetworkKind::loggp : network.kind;
    return (network.name.empty() ? target->machine.network_source : network.name) + ": " +
           values_text(kind, network.values);
}

// A program that is generated is predicted by a second command, on the network that it was tuned for.
std::string TunedProgram::command_for(std::uint64_t point) const {
    constexpr std::string_view program = "best.steps.json";
    OptionTable table;
    TunedQuestion ignored;
    describe_question(table, ignored);
    std::string generation;
    std::string prediction;
    auto const add = [&](std::string const& name, std::string const& value) {
        bool const is_option = std::ranges::any_of(
            table.own_options(), [&](Option const& option) { return option.name().substr(2) == name; });
        (is_generated() && is_generator_parameter(name) ? generation : prediction) +=
            is_option ? " --" + name + (value.empty() ? "" : " " + value) : " --set " + name + "=" + value;
    };
    for (auto const& [name, values] : question_.typed)
        if (std::ranges::find(grid_.axes, name, &TuningAxis::name) == grid_.axes.end())
            for (auto const& value : values)
                add(name, value == "true" ? "" : value);
    for (std::size_t axis = 0; axis < grid_.axes.size(); ++axis)
        add(grid_.axes[axis].name, grid_.value(point, axis));
    if (!is_generated())
        return "parcast predict " + subject() + prediction;
    return "parcast generate messages " + subject() + generation + " -o " + std::string(program) +
           " && parcast predict " + std::string(program) + prediction;
}

std::vector<std::vector<std::uint64_t>> TunedProgram::pieces_of(
    std::vector<std::uint64_t> const& points) const {
    std::vector<std::vector<std::uint64_t>> pieces;
    for (auto const point : points) {
        bool const is_next =
            form_ == Form::model && !pieces.empty() &&
            pieces.back().back() / grid_.axes.back().values.size() == point / grid_.axes.back().values.size();
        if (is_next)
            pieces.back().push_back(point);
        else
            pieces.push_back({point});
    }
    return pieces;
}

Result<Evaluation> TunedProgram::evaluate_run(std::uint64_t point) const {
    auto const at = question_of(point);
    if (!at)
        return pass_on(at);
    auto input = input_of(*at);
    if (!input)
        return pass_on(input);
    auto arguments = at->predict;
    arguments.jobs = 1;  // points are evaluated at once, not the runs of one
    arguments.question.network.effects = false;
    auto const forecast = forecast_input(std::move(*input), arguments);
    if (!forecast)
        return pass_on(forecast);
    auto const& answer = forecast->answer;
    if (has_deadlock(answer))
        return fail(impossible(answer));
    Evaluation evaluation;
    for (auto const& row : answer.rows)
        evaluation.times_ns.push_back(row.time_ns);
    if (form_ == Form::steps)
        evaluation.computation_ns = static_cast<double>(answer.rows.front().messages->computation.ns);
    evaluation.times_ns.resize(methods().size());
    evaluation.assumptions = answer.assumptions;
    return evaluation;
}

Result<std::vector<Evaluation>> TunedProgram::evaluate_model(std::vector<std::uint64_t> const& piece) const {
    Question question = question_.predict.question;
    for (std::size_t axis = 0; axis < grid_.axes.size(); ++axis) {
        Sweep sweep{grid_.axes[axis].name, {}, false};
        for (auto const point : piece)
            if (axis + 1 == grid_.axes.size() || sweep.values.empty())
                sweep.values.push_back(grid_.axes[axis].numbers[grid_.coordinate(point, axis)]);
        question.sweep.sweeps.push_back(std::move(sweep));
    }
    auto const forecast = forecast::forecast(*input_, {}, question);
    if (!forecast)
        return pass_on(forecast);
    auto const& model = forecast->answer.model();
    std::vector<Evaluation> evaluations;
    for (std::size_t i = 0; i < piece.size(); ++i) {
        Evaluation evaluation;
        for (auto const& method : methods())
            evaluation.times_ns.push_back(method.key == "mean" ? model.points[i].time.mean
                                                               : model.simulated[i].time.mean);
        evaluation.assumptions = forecast->answer.assumptions;
        evaluations.push_back(std::move(evaluation));
    }
    return evaluations;
}

Result<std::vector<Evaluation>> TunedProgram::evaluate(std::vector<std::uint64_t> const& piece) const {
    if (form_ == Form::model)
        return evaluate_model(piece);
    auto evaluation = evaluate_run(piece.front());
    if (!evaluation)
        return pass_on(evaluation);
    return std::vector{std::move(*evaluation)};
}

Result<Json> TunedProgram::question_at(std::uint64_t point) const {
    auto const at = question_of(point);
    if (!at)
        return pass_on(at);
    auto options = at->typed;
    std::erase_if(options, [](auto const& each) {
        return is_generator_parameter(each.first) || each.first == "network";  // by what they say, below
    });
    auto contents = contents_of(std::move(options));
    if (!contents)
        return pass_on(contents);
    Json question{{"parcast", version}};
    if (is_generated()) {
        auto const generators = step_generators(subject(), at->settings);
        if (!generators)
            return pass_on(generators);
        question["structure"] = subject();
        for (auto const& parameter : generator_parameters())
            question["parameters"][std::string(parameter.name)] = parameter.content(*generators, subject());
    } else {
        auto const text = read_text(subject());
        if (!text)
            return pass_on(text);
        question["file"] = content_hash(*text);
        question["set"] = at->predict.reading.set;
    }
    question["options"] = std::move(*contents);
    if (networked_forms.has(form_)) {
        auto const target = target_machine(at->predict, form_);
        if (!target)
            return pass_on(target);
        if (target->machine.shape.network)
            question["network"] = network_json(*target->machine.shape.network);
    }
    return question;
}

}  // namespace parcast::cli
