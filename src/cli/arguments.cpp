#include "cli/arguments.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <optional>
#include <ranges>
#include <utility>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include "cli/cpu_list.h"
#include "cli/help.h"
#include "cli/mean_and_cv.h"
#include "cli/quantity.h"
#include "cli/version.h"
#include "core/suggestion.h"
#include "import/time_unit.h"
#include "view/replay_on_demand.h"

namespace parcast::cli {

namespace {

using Words = std::vector<std::string>;

// "record, info and help"
std::string listed(std::span<std::string_view const> words, std::string_view before_last) {
    std::string text;
    for (std::size_t i = 0; i < words.size(); ++i) {
        text.append(i == 0 ? "" : i + 1 == words.size() ? before_last : ", ").append(words[i]);
    }
    return text;
}

UsageError usage_error(std::string message, std::string_view verb) {
    return {std::move(message), "Try: parcast help" + (verb.empty() ? "" : " " + std::string(verb))};
}

// An option that takes one of a few words.
template <class Value>
using Choices = std::vector<std::pair<std::string_view, Value>>;

template <class Value, class Target>
void add_choice(CLI::App& parser, std::string const& option, Target& target, Choices<Value> const& choices) {
    parser.add_option_function<std::string>(option, [option, choices, &target](std::string const& word) {
        auto const found = std::ranges::find(choices, word, [](auto const& choice) { return choice.first; });
        if (found == choices.end()) {
            std::vector<std::string_view> words;
            std::ranges::transform(choices, std::back_inserter(words),
                                   [](auto const& choice) { return choice.first; });
            throw CLI::ValidationError(option + ": it is " + listed(words, " or ") + ", not \"" + word +
                                       "\"");
        }
        target = found->second;
    });
}

template <class Value>
Value value_of(Result<Value> const& parsed, char const* option) {
    if (!parsed) {
        throw CLI::ValidationError(std::string(option) + ": " + parsed.error().message);
    }
    return *parsed;
}

template <class Counts>
void add_cpus(CLI::App& parser, Counts& counts) {
    parser.add_option_function<std::string>(
        "--cpus", [&counts](std::string const& text) { counts = value_of(parse_cpu_list(text), "--cpus"); });
}

// Only counts that a page can show (docs/formats/execution.md).
void add_page_cpus(CLI::App& parser, std::optional<std::vector<std::uint32_t>>& counts) {
    parser.add_option_function<std::string>("--cpus", [&counts](std::string const& text) {
        counts = value_of(parse_cpu_list(text), "--cpus");
        if (counts->back() > view::most_cpus) {
            throw CLI::ValidationError("--cpus: a page shows at most " + std::to_string(view::most_cpus) +
                                       " CPUs");
        }
    });
}

void describe(CLI::App& parser, CalibrateArguments& arguments) {
    parser.add_option("-o,--output", arguments.output);
    parser.add_option("--seconds", arguments.seconds)->check(CLI::Range(1U, 600U));
    parser.add_flag("--dry-run", arguments.dry_run);
    parser.add_flag("--json", arguments.json);
}

void describe(CLI::App& parser, InfoArguments& arguments) {
    parser.add_option("FILE", arguments.file)->required();
    parser.add_flag("--json", arguments.json);
    parser.add_flag("--findings", arguments.findings_only);
    parser.add_flag("--all", arguments.all);
}

// On which machine and under which model a recording is replayed: the same for all verbs that do.
void describe_replay(CLI::App& parser, PredictArguments& arguments) {
    add_choice<SchedulerName>(parser, "--scheduler", arguments.scheduler,
                              {{"ideal", SchedulerName::ideal}, {"linux", SchedulerName::linux_fair}});
    add_choice<ModelName>(
        parser, "--model", arguments.model,
        {{"auto", ModelName::automatic}, {"direct", ModelName::direct}, {"strict", ModelName::strict}});
    add_choice<TasksName>(parser, "--tasks", arguments.tasks,
                          {{"auto", TasksName::automatic}, {"recorded", TasksName::recorded}});
    parser.add_option("--machine", arguments.machine_file);
    parser.add_option("--memory", arguments.memory);
    parser.add_option("--jobs", arguments.jobs)->check(CLI::Range(1U, 1024U));
}

// "2us", "500ns"; of 0 the unit may be left out.
double overhead_ns(std::string const& text) {
    double number = 0;
    auto const parsed = std::from_chars(text.data(), text.data() + text.size(), number);
    auto const unit = unit_ns(std::string_view(parsed.ptr, text.data() + text.size()));
    bool const is_zero = parsed.ec == std::errc() && parsed.ptr == text.data() + text.size() && number == 0;
    bool const is_time = parsed.ec == std::errc() && unit && number >= 0 && std::isfinite(number * *unit);
    if (!is_zero && !is_time) {
        throw CLI::ValidationError("--overhead: \"" + text + "\" is no time with its unit (" + time_units +
                                   "), such as 2us");
    }
    return is_zero ? 0 : in_ns(number, *unit);
}

// How a task graph is read and scheduled.
void describe_task_graph(CLI::App& parser, TaskGraphArguments& arguments) {
    parser.add_option("--schedule", arguments.schedules)->delimiter(',')->allow_extra_args(false);
    parser.add_option("--set", arguments.reading.set)->allow_extra_args(false);
    parser.add_option("--unit", arguments.reading.unit);
    parser
        .add_option_function<std::vector<std::string>>(
            "--overhead",
            [&arguments](std::vector<std::string> const& times) {
                arguments.overhead_ns.clear();
                std::ranges::transform(times, std::back_inserter(arguments.overhead_ns), overhead_ns);
            })
        ->delimiter(',')
        ->allow_extra_args(false);
    add_choice<model::Retire>(parser, "--retire", arguments.retire,
                              {{"one", model::Retire::one}, {"all", model::Retire::all}});
}

// "50", "99.9": per cent.
double quantile_level(std::string const& text) {
    double level = 0;
    auto const [end, problem] = std::from_chars(text.data(), text.data() + text.size(), level);
    bool const is_number = problem == std::errc() && end == text.data() + text.size();
    if (!is_number || !(level > 0 && level < 100)) {
        throw CLI::ValidationError("--quantiles: \"" + text + "\" is no per cent between 0 and 100");
    }
    return level;
}

// "0.5", "0.5%": per cent of the mean.
double precision(std::string const& text) {
    double percent = 0;
    auto const [end, problem] = std::from_chars(text.data(), text.data() + text.size(), percent);
    auto const rest = text.substr(static_cast<std::size_t>(end - text.data()));
    if (problem != std::errc() || (!rest.empty() && rest != "%" && rest != " %") || !(percent > 0 && percent <= 100)) {
        throw CLI::ValidationError("--precision: \"" + text + "\" is no per cent of the mean, such as 0.5%");
    }
    return percent;
}

// Of models only; --set is the one of task graphs.
void describe_model(CLI::App& parser, ModelArguments& arguments) {
    parser
        .add_option_function<std::vector<std::string>>(
            "--sweep",
            [&arguments](std::vector<std::string> const& sweeps) {
                arguments.sweeps.clear();
                for (auto const& sweep : sweeps)
                    arguments.sweeps.push_back(value_of(parse_sweep(sweep), "--sweep"));
            })
        ->allow_extra_args(false);
    parser
        .add_option_function<std::vector<std::string>>(
            "--quantiles",
            [&arguments](std::vector<std::string> const& levels) {
                auto& parsed = arguments.levels.emplace();
                std::ranges::transform(levels, std::back_inserter(parsed), quantile_level);
            })
        ->delimiter(',')
        ->allow_extra_args(false);
    add_choice<report::ModelMethod>(parser, "--method", arguments.method,
                                    {{"moments", report::ModelMethod::moments},
                                     {"simulate", report::ModelMethod::simulate},
                                     {"both", report::ModelMethod::both}});
    parser.add_option("--of", arguments.of);
    parser.add_option("--per", arguments.per);
    parser.add_option("--runs", arguments.simulation.runs)->check(CLI::Range(1U, 10'000'000U));
    parser.add_option_function<std::string>("--precision", [&arguments](std::string const& text) {
        arguments.simulation.precision = precision(text);
    });
    parser.add_option("--seed", arguments.simulation.seed);
    parser.add_flag("--phases", arguments.phases);
    parser.add_flag("--sensitivity", arguments.sensitivity);
}

void describe(CLI::App& parser, PredictArguments& arguments) {
    parser.add_option("FILE", arguments.file)->required();
    add_cpus(parser, arguments.cpus);
    describe_replay(parser, arguments);
    describe_task_graph(parser, arguments.graph);
    describe_model(parser, arguments.model_file);
    parser.add_option("--plot", arguments.model_file.plot);
    parser.add_flag("--compare", arguments.graph.compare);
    parser.add_flag("--threads-table", arguments.threads_table);
    parser.add_flag("--assumptions", arguments.assumptions);
    parser.add_flag("--json", arguments.json);
}

void describe(CLI::App& parser, ReportArguments& arguments) {
    parser.add_option("FILE", arguments.replay.file)->required();
    parser.add_option("-o,--output", arguments.output);
    add_page_cpus(parser, arguments.replay.cpus);
    describe_replay(parser, arguments.replay);
    describe_task_graph(parser, arguments.replay.graph);
    describe_model(parser, arguments.replay.model_file);
    parser.add_option("--measured", arguments.measured);
    parser.add_flag("--force", arguments.force);
    parser.add_flag_callback("--no-source-text", [&] { arguments.source_text = false; });
    parser.add_flag("--json", arguments.json);
}

void describe(CLI::App& parser, ViewArguments& arguments) {
    parser.add_option("FILE", arguments.replay.file)->required();
    parser.add_option("--port", arguments.port)->check(CLI::Range(1U, 65535U));
    parser.add_flag_callback("--no-browser", [&] { arguments.browser = false; });
    parser.add_option("--compare", arguments.compare);
    parser.add_option("--measured", arguments.measured);
    add_page_cpus(parser, arguments.replay.cpus);
    describe_replay(parser, arguments.replay);
    describe_task_graph(parser, arguments.replay.graph);
    parser.add_flag_callback("--no-source-text", [&] { arguments.source_text = false; });
    parser.add_flag("--json", arguments.json);
}

void describe(CLI::App& parser, ExportArguments& arguments) {
    parser.add_option("FILE", arguments.replay.file)->required();
    add_cpus(parser, arguments.replay.cpus);
    add_choice<ExportFormat>(parser, "--format", arguments.format,
                             {{"perfetto", ExportFormat::perfetto},
                              {"chrome", ExportFormat::chrome},
                              {"paraver", ExportFormat::paraver},
                              {"csv", ExportFormat::csv}});
    parser.add_option("-o,--output", arguments.output);
    parser.add_flag("--force", arguments.force);
    parser.add_flag("--recorded", arguments.recorded);
    parser.add_flag("--events", arguments.events);
    describe_replay(parser, arguments.replay);
    describe_task_graph(parser, arguments.replay.graph);
    parser.add_flag("--json", arguments.json);
}

void describe(CLI::App& parser, ScaleArguments& arguments) {
    add_cpus(parser, arguments.cpus);
    parser.add_flag("--measure", arguments.measure);
    parser.add_option("--runs", arguments.runs)->check(CLI::Range(1U, 1000U));
    parser.add_flag_callback("--no-bare-runs", [&] { arguments.bare_runs = false; });
    parser.add_option("--before", arguments.before);
    parser.add_option("--keep", arguments.keep);
    parser
        .add_option_function<unsigned>(
            "--time-limit",
            [&](unsigned seconds) { arguments.time_limit = Duration{std::int64_t{seconds} * 1'000'000'000}; })
        ->check(CLI::Range(1U, 604'800U));
    describe_replay(parser, arguments.replay);
    parser.add_flag("--json", arguments.json);
    parser.prefix_command();
}

void describe(CLI::App& parser, RecordArguments& arguments) {
    parser.add_option("-o,--output", arguments.output);
    parser.add_option("--pretend-cpus", arguments.pretend_cpus)->check(CLI::Range(1U, most_cpus));
    parser.add_option("--cpu", arguments.cpu)->check(CLI::Range(0U, most_cpus - 1));
    parser.add_option_function<std::string>("--time-limit", [&](std::string const& text) {
        arguments.time_limit = value_of(parse_duration(text), "--time-limit");
    });
    parser.add_option_function<std::string>("--max-size", [&](std::string const& text) {
        arguments.max_bytes = value_of(parse_size(text), "--max-size");
        if (arguments.max_bytes < smallest_recording_bytes) {
            throw CLI::ValidationError("--max-size: \"" + text + "\" holds no event: 2M is the least.");
        }
    });
    parser.add_flag("--json", arguments.json);
    parser.prefix_command();  // what follows the first word that is no option belongs to the program
}

void describe(CLI::App& parser, ExtractArguments& arguments) {
    parser.add_option("FILE", arguments.file)->required();
    parser.add_option("-o,--output", arguments.output);
    auto* const condense =
        parser.add_option("--condense", arguments.condense)->check(CLI::Range(1U, most_cpus));
    parser.add_option("--schedule", arguments.schedule)->needs(condense);
    parser.add_flag("--closest", arguments.closest);
    parser.add_flag("--force", arguments.force);
    parser.add_flag("--json", arguments.json);
}

void describe(CLI::App& parser, FormulaArguments& arguments) {
    parser.add_option("MODEL", arguments.file)->required();
    parser.add_option("--set", arguments.settings)->allow_extra_args(false);
    parser.add_option("--parameter", arguments.parameters)->delimiter(',')->allow_extra_args(false);
    auto* const of = parser.add_option("--of", arguments.of);
    parser.add_flag("--all", arguments.all)->excludes(of);
    parser.add_flag("--unsimplified", arguments.unsimplified);
    parser.add_flag("--phases", arguments.phases);
    parser.add_flag("--all-digits", arguments.all_digits);
    parser.add_flag("--latex", arguments.latex);
    parser.add_flag("--python", arguments.python);
    parser.add_flag("--json", arguments.json);
}

void describe(CLI::App& parser, GenerateArguments& arguments) {
    parser.add_option("KIND", arguments.kind)->required();
    parser.add_option("STRUCTURE", arguments.structure)->required();
    parser.add_option("--size", arguments.size);
    parser.add_option("--seed", arguments.seed);
    parser.add_option("-o,--output", arguments.output);
    parser.add_flag("--force", arguments.force);
    parser.add_flag("--json", arguments.json);
}

void add_mean_and_cv(CLI::App& parser, char const* option, std::optional<model::RandomInterval>& target) {
    parser.add_option_function<std::string>(option, [option, &target](std::string const& text) {
        target = value_of(parse_mean_and_cv(text), option);
    });
}

void describe(CLI::App& parser, VarianceArguments& arguments) {
    parser.add_option("FILE", arguments.files);
    parser.add_option("--cpu-time", arguments.cpu_time)->check(CLI::NonNegativeNumber);
    add_mean_and_cv(parser, "--processing", arguments.processing);
    add_mean_and_cv(parser, "--delay", arguments.delay);
    parser.add_option("--confidence", arguments.confidence)->check(CLI::Range(1.0, 99.99));
    parser.add_flag("--all", arguments.all);
    parser.add_flag("--json", arguments.json);
}

UsageError left_over(std::string const& word, std::string_view verb) {
    if (!word.starts_with('-') && verb == "calibrate") {
        return usage_error("calibrate takes no file to read, but there is \"" + word + "\".", verb);
    }
    if (!word.starts_with('-') && verb == "formula") {
        return usage_error("formula takes one model, but there is \"" + word + "\" as well.", verb);
    }
    if (!word.starts_with('-')) {
        return usage_error(std::string(verb) + " takes one recording, but there is \"" + word + "\" as well.",
                           verb);
    }
    std::string const message = std::string(verb) + " has no option " + word + ".";
    auto const names = options_of(verb);
    std::vector<std::string_view> const options(names.begin(), names.end());
    auto const meant = nearest(word, options);
    return meant ? UsageError{message, "Did you mean: " + std::string(*meant)} : usage_error(message, verb);
}

// Fills in what the parser was described with, or says what is wrong or asked for instead.
std::optional<Arguments> run_parser(CLI::App& parser, Words words, std::string_view verb) {
    std::reverse(words.begin(), words.end());  // CLI11 takes them from the back
    try {
        parser.parse(words);
        return std::nullopt;
    } catch (CLI::CallForHelp const&) {
        return Answer{std::string(help_of(verb))};
    } catch (CLI::RequiredError const&) {
        return usage_error(verb == "generate"  ? "generate needs to know what: taskgraph, and which structure."
                           : verb == "formula" ? "formula needs the file of a model."
                                               : std::string(verb) + " needs the file of a recording.",
                           verb);
    } catch (CLI::ExtrasError const&) {
        return left_over(parser.remaining().front(), verb);
    } catch (CLI::ArgumentMismatch const& error) {
        std::string const what = error.what();  // "--cpus: 1 required TEXT missing"
        return usage_error(std::string(verb) + ": " + what.substr(0, what.find(':')) + " needs a value.",
                           verb);
    } catch (CLI::ParseError const& error) {
        std::string const what = error.what();
        return usage_error(std::string(verb) + ": " + what + (what.ends_with('.') ? "" : "."), verb);
    }
}

template <class VerbArguments>
Arguments parse_verb(Words const& words, std::string_view verb) {
    VerbArguments arguments;
    CLI::App parser;
    describe(parser, arguments);
    auto const instead = run_parser(parser, words, verb);
    return instead ? *instead : Arguments(std::move(arguments));
}

// What of an export's options does not fit together.
std::optional<std::string> conflict_in(ExportArguments const& arguments) {
    if (arguments.recorded && arguments.replay.cpus) {
        return "--recorded is what was measured on one CPU; --cpus N is a prediction: give one of them";
    }
    if (arguments.format == ExportFormat::paraver && arguments.output &&
        !arguments.output->ends_with(".prv")) {
        return "paraver is three files, NAME.prv, NAME.pcf and NAME.row: give -o NAME.prv";
    }
    if (arguments.json && arguments.output == "-") {
        return "--json and -o - both write to standard output: name a file with -o";
    }
    if (arguments.replay.cpus && arguments.replay.cpus->size() != 1) {
        return "--cpus: one number of CPUs is exported at a time";
    }
    return std::nullopt;
}

Arguments parse_export(Words const& words, std::string_view verb) {
    auto parsed = parse_verb<ExportArguments>(words, verb);
    if (auto const* const arguments = std::get_if<ExportArguments>(&parsed)) {
        if (auto const conflict = conflict_in(*arguments)) {
            return usage_error(std::string(verb) + ": " + *conflict + ".", verb);
        }
    }
    return parsed;
}

// Recordings, or three numbers that say the same.
Arguments parse_variance(Words const& words, std::string_view verb) {
    auto parsed = parse_verb<VarianceArguments>(words, verb);
    auto const* const arguments = std::get_if<VarianceArguments>(&parsed);
    if (arguments == nullptr) {
        return parsed;
    }
    bool const all = arguments->cpu_time && arguments->processing && arguments->delay;
    bool const any = arguments->cpu_time || arguments->processing || arguments->delay;
    if (any && !arguments->files.empty()) {
        return usage_error("variance: --cpu-time, --processing and --delay are instead of a recording.",
                           verb);
    }
    if (arguments->files.empty() && !all) {
        return usage_error("variance needs a recording, or --cpu-time, --processing and --delay.", verb);
    }
    return parsed;
}

// The parser must not see what follows "--": all of it belongs to the program, further "--" too. The program
// and its arguments, or what is wrong or asked for instead.
std::variant<Words, Arguments> parse_before_program(CLI::App& parser, Words const& words,
                                                    std::string_view verb) {
    auto const divider = std::find(words.begin(), words.end(), "--");
    if (auto instead = run_parser(parser, Words(words.begin(), divider), verb)) {
        return *instead;
    }
    Words command = parser.remaining();
    if (!command.empty() && command.front().starts_with('-')) {
        return left_over(command.front(), verb);
    }
    // With a program before it the divider is one of the program's own arguments.
    command.insert(command.end(), command.empty() && divider != words.end() ? divider + 1 : divider,
                   words.end());
    if (command.empty()) {
        return usage_error(std::string(verb) + " needs a program to run.", verb);
    }
    return command;
}

template <class VerbArguments>
Arguments parse_verb_with_program(Words const& words, std::string_view verb) {
    VerbArguments arguments;
    CLI::App parser;
    describe(parser, arguments);
    auto command = parse_before_program(parser, words, verb);
    if (auto* const instead = std::get_if<Arguments>(&command)) {
        return *instead;
    }
    arguments.command = std::get<Words>(std::move(command));
    return arguments;
}

template <class VerbArguments>
std::vector<std::string> names_of_options() {
    VerbArguments arguments;
    CLI::App parser;
    describe(parser, arguments);
    std::vector<std::string> names;
    for (CLI::Option const* option :
         parser.get_options([](CLI::Option const* one) { return one->nonpositional(); })) {
        for (auto const& name : option->get_lnames()) {
            names.push_back("--" + name);
        }
        for (auto const& name : option->get_snames()) {
            names.push_back("-" + name);
        }
    }
    return names;
}

Arguments parse_help(Words const& words) {
    if (words.empty()) {
        return Answer{std::string(overview())};
    }
    if (words.front() == "-h" || words.front() == "--help") {
        return Answer{std::string(help_of("help"))};
    }
    auto const known = verbs();
    if (std::find(known.begin(), known.end(), words.front()) != known.end()) {
        return Answer{std::string(help_of(words.front()))};
    }
    auto const meant = nearest(words.front(), known);
    return UsageError{"there is no verb \"" + words.front() + "\".",
                      meant ? "Did you mean: parcast help " + std::string(*meant) : "Try: parcast help"};
}

UsageError unknown_verb(std::string const& word) {
    if (word.starts_with('-')) {
        return usage_error("there is no option " + word + " before the verb.", "");
    }
    if (auto const meant = nearest(word, verbs())) {
        return {"there is no verb \"" + word + "\".", "Did you mean: parcast " + std::string(*meant)};
    }
    return usage_error("there is no verb \"" + word + "\"; there are " + listed(verbs(), " and ") + ".", "");
}

struct Grammar {
    std::string_view verb;
    Arguments (*parse)(Words const& words, std::string_view verb);
    std::vector<std::string> (*names_of_options)();
};

constexpr Grammar grammars[] = {
    {"record", parse_verb_with_program<RecordArguments>, names_of_options<RecordArguments>},
    {"info", parse_verb<InfoArguments>, names_of_options<InfoArguments>},
    {"predict", parse_verb<PredictArguments>, names_of_options<PredictArguments>},
    {"scale", parse_verb_with_program<ScaleArguments>, names_of_options<ScaleArguments>},
    {"report", parse_verb<ReportArguments>, names_of_options<ReportArguments>},
    {"view", parse_verb<ViewArguments>, names_of_options<ViewArguments>},
    {"export", parse_export, names_of_options<ExportArguments>},
    {"variance", parse_variance, names_of_options<VarianceArguments>},
    {"calibrate", parse_verb<CalibrateArguments>, names_of_options<CalibrateArguments>},
    {"formula", parse_verb<FormulaArguments>, names_of_options<FormulaArguments>},
    {"generate", parse_verb<GenerateArguments>, names_of_options<GenerateArguments>},
    {"extract", parse_verb<ExtractArguments>, names_of_options<ExtractArguments>},
};

Grammar const* grammar_of(std::string_view verb) {
    auto const* const found = std::ranges::find(grammars, verb, &Grammar::verb);
    return found == std::ranges::end(grammars) ? nullptr : found;
}

}  // namespace

Arguments parse_arguments(std::span<char const* const> words) {
    if (words.empty()) {
        return Answer{std::string(overview())};
    }
    std::string const verb = words.front();
    Words const rest(words.begin() + 1, words.end());
    if (auto const* const grammar = grammar_of(verb)) {
        return grammar->parse(rest, verb);
    }
    if (verb == "help" || verb == "-h" || verb == "--help") {
        return parse_help(rest);
    }
    if (verb == "--version") {
        return Answer{"parcast " + std::string(version) + "\n"};
    }
    return unknown_verb(verb);
}

std::vector<std::string> options_of(std::string_view verb) {
    auto const* const grammar = grammar_of(verb);
    return grammar ? grammar->names_of_options() : std::vector<std::string>();
}

}  // namespace parcast::cli
