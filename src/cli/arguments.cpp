#include "cli/arguments.h"

#include <algorithm>
#include <optional>
#include <ranges>
#include <utility>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include "cli/help.h"
#include "cli/verb_options.h"
#include "cli/version.h"
#include "cli/word_list.h"
#include "core/suggestion.h"

namespace parcast::cli {

namespace {

using Words = std::vector<std::string>;

UsageError usage_error(std::string message, std::string_view verb) {
    return {std::move(message), "Try: parcast help" + (verb.empty() ? "" : " " + std::string(verb))};
}

UsageError left_over(std::string const& word, std::string_view verb) {
    if (!word.starts_with('-') && verb == "calibrate")
        return usage_error("calibrate takes no file to read, but there is \"" + word + "\".", verb);
    if (!word.starts_with('-') && verb == "formula")
        return usage_error("formula takes one model, but there is \"" + word + "\" as well.", verb);
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
        return usage_error(verb == "generate" ? "generate needs to know what: taskgraph, and which structure."
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
    if (arguments.recorded && arguments.replay.cpus)
        return "--recorded is what was measured on one CPU; --cpus N is a prediction: give one of them";
    if (arguments.format == ExportFormat::paraver && arguments.output && !arguments.output->ends_with(".prv"))
        return "paraver is three files, NAME.prv, NAME.pcf and NAME.row: give -o NAME.prv";
    if (arguments.json && arguments.output == "-")
        return "--json and -o - both write to standard output: name a file with -o";
    if (arguments.replay.cpus && arguments.replay.cpus->size() != 1)
        return "--cpus: one number of CPUs is exported at a time";
    return std::nullopt;
}

Arguments parse_export(Words const& words, std::string_view verb) {
    auto parsed = parse_verb<ExportArguments>(words, verb);
    if (auto const* const arguments = std::get_if<ExportArguments>(&parsed)) {
        if (auto const conflict = conflict_in(*arguments))
            return usage_error(std::string(verb) + ": " + *conflict + ".", verb);
    }
    return parsed;
}

// Recordings, or three numbers that say the same.
Arguments parse_variance(Words const& words, std::string_view verb) {
    auto parsed = parse_verb<VarianceArguments>(words, verb);
    auto const* const arguments = std::get_if<VarianceArguments>(&parsed);
    if (arguments == nullptr)
        return parsed;
    bool const all = arguments->cpu_time && arguments->processing && arguments->delay;
    bool const any = arguments->cpu_time || arguments->processing || arguments->delay;
    if (any && !arguments->files.empty()) {
        return usage_error("variance: --cpu-time, --processing and --delay are instead of a recording.",
                           verb);
    }
    if (arguments->files.empty() && !all)
        return usage_error("variance needs a recording, or --cpu-time, --processing and --delay.", verb);
    return parsed;
}

// The parser must not see what follows "--": all of it belongs to the program, further "--" too. The program
// and its arguments, or what is wrong or asked for instead.
std::variant<Words, Arguments> parse_before_program(CLI::App& parser, Words const& words,
                                                    std::string_view verb) {
    auto const divider = std::find(words.begin(), words.end(), "--");
    if (auto instead = run_parser(parser, Words(words.begin(), divider), verb))
        return *instead;
    Words command = parser.remaining();
    if (!command.empty() && command.front().starts_with('-'))
        return left_over(command.front(), verb);
    // With a program before it the divider is one of the program's own arguments.
    command.insert(command.end(), command.empty() && divider != words.end() ? divider + 1 : divider,
                   words.end());
    if (command.empty())
        return usage_error(std::string(verb) + " needs a program to run.", verb);
    return command;
}

template <class VerbArguments>
Arguments parse_verb_with_program(Words const& words, std::string_view verb) {
    VerbArguments arguments;
    CLI::App parser;
    describe(parser, arguments);
    auto command = parse_before_program(parser, words, verb);
    if (auto* const instead = std::get_if<Arguments>(&command))
        return *instead;
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
        for (auto const& name : option->get_lnames())
            names.push_back("--" + name);
        for (auto const& name : option->get_snames())
            names.push_back("-" + name);
    }
    return names;
}

Arguments parse_help(Words const& words) {
    if (words.empty())
        return Answer{std::string(overview())};
    if (words.front() == "-h" || words.front() == "--help")
        return Answer{std::string(help_of("help"))};
    auto const known = verbs();
    if (std::find(known.begin(), known.end(), words.front()) != known.end())
        return Answer{std::string(help_of(words.front()))};
    auto const meant = nearest(words.front(), known);
    return UsageError{"there is no verb \"" + words.front() + "\".",
                      meant ? "Did you mean: parcast help " + std::string(*meant) : "Try: parcast help"};
}

UsageError unknown_verb(std::string const& word) {
    if (word.starts_with('-'))
        return usage_error("there is no option " + word + " before the verb.", "");
    if (auto const meant = nearest(word, verbs()))
        return {"there is no verb \"" + word + "\".", "Did you mean: parcast " + std::string(*meant)};
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
    if (words.empty())
        return Answer{std::string(overview())};
    std::string const verb = words.front();
    Words const rest(words.begin() + 1, words.end());
    if (auto const* const grammar = grammar_of(verb))
        return grammar->parse(rest, verb);
    if (verb == "help" || verb == "-h" || verb == "--help")
        return parse_help(rest);
    if (verb == "--version")
        return Answer{"parcast " + std::string(version) + "\n"};
    return unknown_verb(verb);
}

std::vector<std::string> options_of(std::string_view verb) {
    auto const* const grammar = grammar_of(verb);
    return grammar ? grammar->names_of_options() : std::vector<std::string>();
}

}  // namespace parcast::cli
