#include "cli/arguments.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include "cli/cpu_list.h"
#include "cli/help.h"
#include "cli/quantity.h"
#include "cli/version.h"
#include "core/suggestion.h"
#include "view/replay_on_demand.h"

namespace parcast::cli {

namespace {

using Words = std::vector<std::string>;

UsageError usage_error(std::string message, std::string_view verb) {
    return {std::move(message), "Try: parcast help" + (verb.empty() ? "" : " " + std::string(verb))};
}

void describe_calibrate(CLI::App& parser, CalibrateArguments& arguments) {
    parser.add_option("-o,--output", arguments.output);
    parser.add_option("--seconds", arguments.seconds)->check(CLI::Range(1U, 600U));
    parser.add_flag("--dry-run", arguments.dry_run);
    parser.add_flag("--json", arguments.json);
}

void describe_info(CLI::App& parser, InfoArguments& arguments) {
    parser.add_option("FILE", arguments.file)->required();
    parser.add_flag("--json", arguments.json);
    parser.add_flag("--findings", arguments.findings_only);
    parser.add_flag("--all", arguments.all);
}

// On which machine and under which model a recording is replayed: the same for `predict` and `scale`.
void describe_replay(CLI::App& parser, PredictArguments& arguments) {
    static std::map<std::string, SchedulerName> const schedulers{{"ideal", SchedulerName::ideal},
                                                                 {"linux", SchedulerName::linux_fair}};
    parser.add_option_function<std::string>("--scheduler", [&](std::string const& name) {
        auto const found = schedulers.find(name);
        if (found == schedulers.end()) {
            throw CLI::ValidationError("--scheduler: there is no scheduler \"" + name +
                                       "\", only ideal and linux");
        }
        arguments.scheduler = found->second;
    });
    static std::map<std::string, ModelName> const models{
        {"auto", ModelName::automatic}, {"direct", ModelName::direct}, {"strict", ModelName::strict}};
    parser.add_option_function<std::string>("--model", [&](std::string const& name) {
        auto const found = models.find(name);
        if (found == models.end()) {
            throw CLI::ValidationError("--model: there is no model \"" + name +
                                       "\", only auto, direct and strict");
        }
        arguments.model = found->second;
    });
    static std::map<std::string, TasksName> const tasks{{"auto", TasksName::automatic},
                                                        {"recorded", TasksName::recorded}};
    parser.add_option_function<std::string>("--tasks", [&](std::string const& name) {
        auto const found = tasks.find(name);
        if (found == tasks.end()) {
            throw CLI::ValidationError("--tasks: it is auto or recorded, not \"" + name + "\"");
        }
        arguments.tasks = found->second;
    });
    parser.add_option("--machine", arguments.machine_file);
    parser.add_option("--jobs", arguments.jobs)->check(CLI::Range(1U, 1024U));
}

void describe_predict(CLI::App& parser, PredictArguments& arguments, std::string& cpus) {
    parser.add_option("FILE", arguments.file)->required();
    parser.add_option("--cpus", cpus);
    describe_replay(parser, arguments);
    parser.add_flag("--threads-table", arguments.threads_table);
    parser.add_flag("--assumptions", arguments.assumptions);
    parser.add_flag("--json", arguments.json);
}

void describe_report(CLI::App& parser, ReportArguments& arguments, std::string& cpus) {
    parser.add_option("FILE", arguments.replay.file)->required();
    parser.add_option("-o,--output", arguments.output);
    parser.add_option("--cpus", cpus);
    describe_replay(parser, arguments.replay);
    parser.add_flag("--force", arguments.force);
    parser.add_flag_callback("--no-source-text", [&] { arguments.source_text = false; });
    parser.add_flag("--json", arguments.json);
}

void describe_view(CLI::App& parser, ViewArguments& arguments, std::string& cpus) {
    parser.add_option("FILE", arguments.replay.file)->required();
    parser.add_option("--port", arguments.port)->check(CLI::Range(1U, 65535U));
    parser.add_flag_callback("--no-browser", [&] { arguments.browser = false; });
    parser.add_option("--compare", arguments.compare);
    parser.add_option("--cpus", cpus);
    describe_replay(parser, arguments.replay);
    parser.add_flag_callback("--no-source-text", [&] { arguments.source_text = false; });
    parser.add_flag("--json", arguments.json);
}

void describe_export(CLI::App& parser, ExportArguments& arguments, std::string& cpus) {
    parser.add_option("FILE", arguments.replay.file)->required();
    parser.add_option("--cpus", cpus);
    static std::map<std::string, ExportFormat> const formats{{"perfetto", ExportFormat::perfetto},
                                                             {"chrome", ExportFormat::chrome},
                                                             {"paraver", ExportFormat::paraver},
                                                             {"csv", ExportFormat::csv}};
    parser.add_option_function<std::string>("--format", [&](std::string const& name) {
        auto const found = formats.find(name);
        if (found == formats.end()) {
            throw CLI::ValidationError("--format: there is no format \"" + name +
                                       "\", only perfetto, chrome, paraver and csv");
        }
        arguments.format = found->second;
    });
    parser.add_option("-o,--output", arguments.output);
    parser.add_flag("--force", arguments.force);
    parser.add_flag("--recorded", arguments.recorded);
    parser.add_flag("--events", arguments.events);
    describe_replay(parser, arguments.replay);
    parser.add_flag("--json", arguments.json);
}

template <class Value>
Value value_of(Result<Value> const& parsed, char const* option) {
    if (!parsed) {
        throw CLI::ValidationError(std::string(option) + ": " + parsed.error().message);
    }
    return *parsed;
}

void describe_scale(CLI::App& parser, ScaleArguments& arguments, std::string& cpus) {
    parser.add_option("--cpus", cpus);
    parser.add_flag("--measure", arguments.measure);
    parser.add_option("--runs", arguments.runs)->check(CLI::Range(1U, 1000U));
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

void describe_record(CLI::App& parser, RecordArguments& arguments) {
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

UsageError left_over(std::string const& word, std::string_view verb) {
    if (!word.starts_with('-') && verb == "calibrate") {
        return usage_error("calibrate takes no file to read, but there is \"" + word + "\".", verb);
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
        return usage_error(std::string(verb) + " needs the file of a recording.", verb);
    } catch (CLI::ExtrasError const&) {
        return left_over(parser.remaining().front(), verb);
    } catch (CLI::ArgumentMismatch const& error) {
        std::string const what = error.what();  // "--cpus: 1 required TEXT missing"
        return usage_error(std::string(verb) + ": " + what.substr(0, what.find(':')) + " needs a value.",
                           verb);
    } catch (CLI::ParseError const& error) {
        return usage_error(std::string(verb) + ": " + error.what() + ".", verb);
    }
}

Arguments parse_calibrate(Words const& words) {
    CalibrateArguments arguments;
    CLI::App parser;
    describe_calibrate(parser, arguments);
    auto const instead = run_parser(parser, words, "calibrate");
    return instead ? *instead : Arguments(arguments);
}

Arguments parse_info(Words const& words) {
    InfoArguments arguments;
    CLI::App parser;
    describe_info(parser, arguments);
    auto const instead = run_parser(parser, words, "info");
    return instead ? *instead : Arguments(arguments);
}

Arguments parse_predict(Words const& words) {
    PredictArguments arguments;
    std::string cpus;
    CLI::App parser;
    describe_predict(parser, arguments, cpus);
    if (auto instead = run_parser(parser, words, "predict")) {
        return *instead;
    }
    if (parser.count("--cpus") > 0) {
        auto counts = parse_cpu_list(cpus);
        if (!counts) {
            return usage_error("predict: --cpus: " + counts.error().message, "predict");
        }
        arguments.cpus = std::move(*counts);
    }
    return arguments;
}

// Only counts that a page can show (docs/formats/execution.md). What is wrong with them, if anything.
std::optional<UsageError> set_page_counts(PredictArguments& replay, CLI::App const& parser,
                                          std::string const& text, std::string_view verb) {
    if (parser.count("--cpus") == 0) {
        return std::nullopt;
    }
    auto counts = parse_cpu_list(text);
    std::string const option = std::string(verb) + ": --cpus: ";
    if (!counts) {
        return usage_error(option + counts.error().message, verb);
    }
    if (counts->back() > view::most_cpus) {
        return usage_error(option + "a page shows at most " + std::to_string(view::most_cpus) + " CPUs.",
                           verb);
    }
    replay.cpus = std::move(*counts);
    return std::nullopt;
}

Arguments parse_report(Words const& words) {
    ReportArguments arguments;
    std::string cpus;
    CLI::App parser;
    describe_report(parser, arguments, cpus);
    if (auto instead = run_parser(parser, words, "report")) {
        return *instead;
    }
    auto const error = set_page_counts(arguments.replay, parser, cpus, "report");
    return error ? Arguments(*error) : Arguments(arguments);
}

Arguments parse_view(Words const& words) {
    ViewArguments arguments;
    std::string cpus;
    CLI::App parser;
    describe_view(parser, arguments, cpus);
    if (auto instead = run_parser(parser, words, "view")) {
        return *instead;
    }
    auto const error = set_page_counts(arguments.replay, parser, cpus, "view");
    return error ? Arguments(*error) : Arguments(arguments);
    parser.add_flag("--json", arguments.json);
}

// What of an export's options does not fit together.
std::optional<std::string> conflict_in(ExportArguments const& arguments, CLI::App const& parser) {
    if (arguments.recorded && parser.count("--cpus") > 0) {
        return "--recorded is what was measured on one CPU; --cpus N is a prediction: give one of them";
    }
    if (arguments.format == ExportFormat::paraver && arguments.output &&
        !arguments.output->ends_with(".prv")) {
        return "paraver is three files, NAME.prv, NAME.pcf and NAME.row: give -o NAME.prv";
    }
    if (arguments.json && arguments.output == "-") {
        return "--json and -o - both write to standard output: name a file with -o";
    }
    if (!arguments.recorded && arguments.replay.cpus && arguments.replay.cpus->size() != 1) {
        return "--cpus: one number of CPUs is exported at a time";
    }
    return std::nullopt;
}

Arguments parse_export(Words const& words) {
    ExportArguments arguments;
    std::string cpus;
    CLI::App parser;
    describe_export(parser, arguments, cpus);
    if (auto instead = run_parser(parser, words, "export")) {
        return *instead;
    }
    if (parser.count("--cpus") > 0) {
        auto counts = parse_cpu_list(cpus);
        if (!counts) {
            return usage_error("export: --cpus: " + counts.error().message, "export");
        }
        arguments.replay.cpus = std::move(*counts);
    }
    if (auto const conflict = conflict_in(arguments, parser)) {
        return usage_error("export: " + *conflict + ".", "export");
    }
    return arguments;
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

Arguments parse_record(Words const& words) {
    RecordArguments arguments;
    CLI::App parser;
    describe_record(parser, arguments);
    auto command = parse_before_program(parser, words, "record");
    if (auto* const instead = std::get_if<Arguments>(&command)) {
        return *instead;
    }
    arguments.command = std::get<Words>(std::move(command));
    return arguments;
}

Arguments parse_scale(Words const& words) {
    ScaleArguments arguments;
    std::string cpus;
    CLI::App parser;
    describe_scale(parser, arguments, cpus);
    auto command = parse_before_program(parser, words, "scale");
    if (auto* const instead = std::get_if<Arguments>(&command)) {
        return *instead;
    }
    arguments.command = std::get<Words>(std::move(command));
    if (parser.count("--cpus") > 0) {
        auto counts = parse_cpu_list(cpus);
        if (!counts) {
            return usage_error("scale: --cpus: " + counts.error().message, "scale");
        }
        arguments.cpus = std::move(*counts);
    }
    return arguments;
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

// "record, info, predict and help"
std::string names_of_verbs() {
    auto const names = verbs();
    std::string text;
    for (std::size_t i = 0; i < names.size(); ++i) {
        text += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + std::string(names[i]);
    }
    return text;
}

UsageError unknown_verb(std::string const& word) {
    if (word.starts_with('-')) {
        return usage_error("there is no option " + word + " before the verb.", "");
    }
    if (auto const meant = nearest(word, verbs())) {
        return {"there is no verb \"" + word + "\".", "Did you mean: parcast " + std::string(*meant)};
    }
    return usage_error("there is no verb \"" + word + "\"; there are " + names_of_verbs() + ".", "");
}

}  // namespace

Arguments parse_arguments(std::span<char const* const> words) {
    if (words.empty()) {
        return Answer{std::string(overview())};
    }
    std::string const verb = words.front();
    Words const rest(words.begin() + 1, words.end());
    if (verb == "record") {
        return parse_record(rest);
    }
    if (verb == "info") {
        return parse_info(rest);
    }
    if (verb == "predict") {
        return parse_predict(rest);
    }
    if (verb == "report") {
        return parse_report(rest);
    }
    if (verb == "view") {
        return parse_view(rest);
    }
    if (verb == "calibrate") {
        return parse_calibrate(rest);
    }
    if (verb == "scale") {
        return parse_scale(rest);
    }
    if (verb == "export") {
        return parse_export(rest);
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
    CalibrateArguments calibrate_arguments;
    ExportArguments export_arguments;
    InfoArguments info_arguments;
    PredictArguments predict_arguments;
    RecordArguments record_arguments;
    ReportArguments report_arguments;
    ScaleArguments scale_arguments;
    ViewArguments view_arguments;
    std::string cpus;
    CLI::App parser;
    if (verb == "calibrate") {
        describe_calibrate(parser, calibrate_arguments);
    } else if (verb == "export") {
        describe_export(parser, export_arguments, cpus);
    } else if (verb == "info") {
        describe_info(parser, info_arguments);
    } else if (verb == "predict") {
        describe_predict(parser, predict_arguments, cpus);
    } else if (verb == "record") {
        describe_record(parser, record_arguments);
    } else if (verb == "report") {
        describe_report(parser, report_arguments, cpus);
    } else if (verb == "scale") {
        describe_scale(parser, scale_arguments, cpus);
    } else if (verb == "view") {
        describe_view(parser, view_arguments, cpus);
    }
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

}  // namespace parcast::cli
