#include "cli/arguments.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <system_error>
#include <utility>

#include <unistd.h>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include "cli/exit_status.h"
#include "cli/files/inputs.h"
#include "cli/files/output_file.h"
#include "cli/help.h"
#include "cli/progress.h"
#include "cli/start/first_word.h"
#include "cli/start/recordings_here.h"
#include "cli/terminal.h"
#include "cli/verbs.h"
#include "cli/version.h"
#include "core/file_name_pattern.h"
#include "core/suggestion.h"
#include "measure/host_description.h"

namespace parcast::cli {

namespace {

using Words = std::vector<std::string>;

tl::unexpected<Error> refused(std::string_view verb, std::string message, std::string advice = {}) {
    if (advice.empty())
        advice = "Try: parcast help" + (verb.empty() ? "" : " " + std::string(verb));
    return fail(make_error(ErrorCode::unasked, std::move(message), std::move(advice)));
}

tl::unexpected<Error> unknown_option(OptionTable const& table, std::string_view verb,
                                     std::string const& word) {
    Words names;
    for (auto const& option : table.options())
        std::ranges::copy(option.names(), std::back_inserter(names));
    // Any other letter is one edit away.
    bool const is_letter = word.size() == 2;
    auto const meant =
        is_letter ? std::nullopt : nearest(word, std::vector<std::string_view>(names.begin(), names.end()));
    return refused(verb, std::string(verb) + " has no option " + word,
                   meant ? "Did you mean: " + std::string(*meant) : "");
}

// What the parser of options has found: which of them, with their values, and the other words.
struct Found {
    std::vector<Words> values;  // of each option of the table; empty: not given. A flag has a word
    Words others;
};

Result<Found> find_options(OptionTable const& table, std::string_view verb, Words words) {
    CLI::App parser;
    parser.set_help_flag();
    parser.allow_extras();
    parser.prefix_command(table.runs_a_program());
    std::vector<CLI::Option*> parsed;
    for (auto const& option : table.options()) {
        std::string names;
        for (auto const& name : option.names())
            names += (names.empty() ? "" : ",") + name;
        parsed.push_back(
            option.is_flag()
                ? parser.add_flag(names)->disable_flag_override()
                : parser.add_option_function<Words>(names, [](Words const&) {})->allow_extra_args(false));
    }
    std::ranges::reverse(words);  // CLI11 takes them from the back
    try {
        parser.parse(words);
    } catch (CLI::ArgumentMismatch const& error) {
        std::string const what = error.what();  // "--cpus: 1 required TEXT missing"
        auto const name = what.substr(0, what.find(':'));
        return refused(verb, std::string(verb) + ": " + name + " needs a value");
    } catch (CLI::ParseError const& error) {
        return refused(verb, std::string(verb) + ": " + error.what());
    }
    Found found{{}, parser.remaining()};
    for (auto const* const option : parsed)
        found.values.push_back(option->results());
    return found;
}

// The values of the positionals, in the order of the table.
Result<void> store_positionals(OptionTable const& table, std::string_view verb, Words const& words) {
    auto const& positionals = table.positionals();
    auto next = words.begin();
    for (auto const& positional : positionals) {
        auto const count = std::min(positional.most, static_cast<std::size_t>(words.end() - next));
        if (count < positional.least)
            return refused(verb, std::string(verb) + " needs " + positional.needed);
        auto const end = next + static_cast<std::ptrdiff_t>(count);
        if (auto stored = count > 0 ? positional.store(Words(next, end)) : Result<void>(); !stored)
            return stored;
        next = end;
    }
    if (next == words.end())
        return {};
    std::string const taken = positionals.empty() ? "no input" : positionals.back().taken;
    return refused(verb, std::string(verb) + " takes " + taken + ", but there is also \"" + *next + "\"");
}

// What belongs to no option: the inputs, or the program that is run. Errors: an option that does not exist.
Result<Words> other_words(OptionTable const& table, std::string_view verb, Words found,
                          std::span<std::string const> from_divider) {
    auto const is_option = [](std::string const& word) { return word.size() > 1 && word.starts_with('-'); };
    auto const end = table.runs_a_program() && !found.empty() ? found.begin() + 1 : found.end();
    if (auto const odd = std::find_if(found.begin(), end, is_option); odd != end)
        return unknown_option(table, verb, *odd);
    // Behind a program the divider is one of its own arguments.
    bool const is_ours = !from_divider.empty() && !(table.runs_a_program() && !found.empty());
    std::ranges::copy(from_divider.subspan(is_ours ? 1 : 0), std::back_inserter(found));
    return found;
}

bool is_given(OptionTable const& table, Found const& found, std::string_view name) {
    auto const option = std::ranges::find(table.options(), name, &Option::name);
    return option != table.options().end() &&
           !found.values[static_cast<std::size_t>(option - table.options().begin())].empty();
}

Words const& values_of(OptionTable const& table, Found const& found, Option const& option) {
    return found.values[static_cast<std::size_t>(&option - table.options().data())];
}

// Whether an option serves the form of the input, if there is one; that of no file is not known.
bool serves_input(OptionTable const& table, Option const& option, Found const& found) {
    std::error_code ignored;
    if (found.others.empty() || table.runs_a_program() ||
        !std::filesystem::is_regular_file(found.others.front(), ignored))
        return true;
    auto const form = form_of(found.others.front());
    return !table.forms().has(form) || option.forms.has(form);
}

// By option of the table; null: it was typed, or nobody set it. Typed options are stronger; what does not fit
// to them, or to the input, is left out.
using Sources = std::vector<ConfiguredOption const*>;

Sources add_configured(OptionTable const& table, std::string_view verb, Configuration const& configuration,
                       Found& found) {
    Sources sources(table.options().size());
    Found const typed = found;
    for (std::size_t i = 0; i < sources.size(); ++i) {
        auto const& option = table.options()[i];
        auto const* const value = configured(configuration, verb, option);
        if (value == nullptr || !typed.values[i].empty() || !serves_input(table, option, typed))
            continue;
        bool const is_excluded =
            (!option.excluded.empty() && is_given(table, typed, option.excluded)) ||
            std::ranges::any_of(table.options(), [&](Option const& other) {
                return other.excluded == option.name() && is_given(table, typed, other.name());
            });
        if (is_excluded || (!option.needed.empty() && !is_given(table, typed, option.needed)))
            continue;
        found.values[i] = values_for(*value, option);
        sources[i] = value;
    }
    return sources;
}

// What %p, %h and %e stand for: %e is the program that is run, or the name of the input up to its first dot.
FileNameParts parts_of_names(Words const& others, std::span<std::string const> behind) {
    std::string const subject = !others.empty() ? others.front() : behind.size() > 1 ? behind[1] : "";
    auto const name = std::filesystem::path(subject).filename().string();
    auto const program = name.substr(0, name.find('.'));
    return {getpid(), measure::host_name(), program.empty() ? "parcast" : program};
}

Result<Words> expanded_names(Words const& names, FileNameParts const& parts) {
    Words expanded;
    for (auto const& pattern : names) {
        auto name = expanded_file_name(pattern, parts);
        if (!name)
            return pass_on(name);
        expanded.push_back(std::move(*name));
    }
    return expanded;
}

// Stores what was given.
Result<GivenOptions> store_options(OptionTable const& table, std::string_view verb, std::vector<Words> values,
                                   Sources const& sources, FileNameParts const& parts) {
    GivenOptions given{verb, table.forms(), {}};
    for (std::size_t i = 0; i < values.size(); ++i) {
        auto const& option = table.options()[i];
        if (values[i].empty())
            continue;
        std::string const start =
            (sources[i] ? sources[i]->source + ": " : "") + std::string(verb) + ": " + option.name() + ": ";
        if (values[i].size() > 1 && !option.repeats)
            return refused(verb, start + "it is given more than once");
        if (option.names_output) {
            auto names = expanded_names(values[i], parts);
            if (!names)
                return refused(verb, start + names.error().message);
            values[i] = std::move(*names);
        }
        if (auto const stored = option.store(values[i]); !stored)
            return refused(verb, start + stored.error().message);
        if (sources[i] || (option.of_every_verb && option.name() != help_option))
            continue;  // nobody asked for it, or it is not about what is asked: no reason to reject a form
        bool const is_special = values[i].back() == option.special_value;
        given.options.push_back(
            is_special ? GivenOption{option.name() + " " + values[i].back(), option.special_forms}
                       : GivenOption{option.name(), option.forms});
        if (!option.decides)
            continue;
        auto& words = given.options.back().next_words;
        for (auto const& value : values[i])
            if (option.one_time_value.empty() || value != option.one_time_value)
                words.insert(words.end(), {option.name(), value});
    }
    return given;
}

Result<void> check_pairs(OptionTable const& table, GivenOptions const& given, Found const& found) {
    auto const refuse = [&](Option const& option, std::string const& how) {
        return refused(given.verb, std::string(given.verb) + ": " + option.name() + how);
    };
    for (auto const& option : table.options()) {
        if (!given.has(option.name()))
            continue;
        if (!option.needed.empty() && !is_given(table, found, option.needed))
            return refuse(option, " needs " + std::string(option.needed));
        if (option.names_output && is_given(table, found, "--json") &&
            values_of(table, found, option).back() == OutputFile::standard_output)
            return refuse(option, " - and --json both write to standard output: name a file");
        if (!option.excluded.empty() && given.has(option.excluded))
            return refuse(option,
                          " and " + std::string(option.excluded) + " exclude each other: give one of them");
    }
    return {};
}

Command printed(std::string text) {
    return [text = std::move(text)] { return print_result(text); };
}

// Names the configured options of a verb and their sources, for an error that the command line does not
// explain: "--plot by .parcast.toml:2; without that: --no-config". Empty: there are none.
std::string sources_text(OptionTable const& table, std::string_view verb,
                         Configuration const& configuration) {
    std::string text;
    for (auto const& option : table.options())
        if (auto const* const value = configured(configuration, verb, option))
            text += (text.empty() ? "" : ", ") + option.name() + " by " + value->source;
    return text.empty() ? text : text + "; without that: --no-config";
}

// `note`: printed before it runs.
Result<Command> parse_verb(Verb const& verb, Words const& words, std::string note = {}) {
    OptionTable table;
    auto prepared = verb.prepare(table);
    // These work whatever is in a file.
    bool const is_configured = &verb != &help_verb && &verb != &doctor_verb && &verb != &completion_verb;
    Configuration read;
    auto given = parse_options(table, verb.name, words, [&]() -> Result<Configuration> {
        auto configuration = is_configured ? read_configuration() : Configuration{};
        if (configuration)
            read = *configuration;
        return configuration;
    });
    auto sources = sources_text(table, verb.name, read);
    if (!given)
        return fail(with_advice(given.error(),
                                given.error().advice + (sources.empty() ? "" : " (set: " + sources + ")")));
    if (given->has(help_option))
        return printed(help_of(verb));
    return Command([run = std::move(prepared.run), given = std::move(*given), manners = table.manners(),
                    note = std::move(note), sources = std::move(sources)] {
        set_manners(manners);
        if (!note.empty())
            print_note(note);
        int const status = run(given);
        if (status == exit_usage && !sources.empty())
            print_note("options that are set: " + sources);
        report_resources();
        return status;
    });
}

// Options of every verb may stand before it, too.
Words take_options_of_every_verb(Words& words) {
    OptionTable const table;
    Words taken;
    while (!words.empty()) {
        auto const name = words.front().substr(0, words.front().find('='));
        auto const option = std::ranges::find_if(table.options(), [&](Option const& each) {
            auto const names = each.names();
            return each.name() != help_option && std::ranges::find(names, name) != names.end();
        });
        if (option == table.options().end())
            return taken;
        bool const has_value = !option->is_flag() && name == words.front();
        auto const count = std::min<std::size_t>(has_value ? 2 : 1, words.size());
        auto const end = words.begin() + static_cast<std::ptrdiff_t>(count);
        taken.insert(taken.end(), words.begin(), end);
        words.erase(words.begin(), end);
    }
    return taken;
}

// What a first word that is no verb asks for. Where it takes two commands, the second runs if the first one
// succeeds.
Result<Command> parse_meant(std::string const& word, Words const& rest) {
    auto own_words = rest;
    take_options_of_every_verb(own_words);
    auto const meant = commands_meant(word, rest, own_words);
    if (!meant)
        return pass_on(meant);
    if (meant->commands.empty())
        return printed(meant->text);
    std::vector<Command> commands;
    for (auto const& words : meant->commands) {
        auto command = parse_verb(*find_verb(words.front()), Words(words.begin() + 1, words.end()),
                                  commands.empty() ? meant->note : "");
        if (!command)
            return command;
        commands.push_back(std::move(*command));
    }
    return Command([commands = std::move(commands)] {
        for (std::size_t i = 0; i < commands.size(); ++i) {
            if (i > 0)
                if (int const status = print_result("\n"); status != 0)
                    return status;
            if (int const status = commands[i](); status != 0)
                return status;
        }
        return 0;
    });
}

}  // namespace

Result<GivenOptions> parse_options(OptionTable const& table, std::string_view verb, Words const& words,
                                   ReadConfiguration const& read) {
    auto const divider = std::ranges::find(words, "--");
    auto found = find_options(table, verb, Words(words.begin(), divider));
    if (!found)
        return pass_on(found);
    bool const is_configured =
        read && !is_given(table, *found, no_config_option) && !is_given(table, *found, help_option);
    auto const configuration = is_configured ? read() : Result<Configuration>(Configuration{});
    if (!configuration)
        return pass_on(configuration);
    auto const sources = add_configured(table, verb, *configuration, *found);
    std::span<std::string const> behind(divider, words.end());
    auto given = store_options(table, verb, found->values, sources, parts_of_names(found->others, behind));
    if (!given || given->has(help_option))
        return given;
    if (auto* const command = table.program_behind(); command && !behind.empty()) {
        command->assign(behind.begin() + 1, behind.end());
        behind = {};
    }
    auto const others = other_words(table, verb, std::move(found->others), behind);
    if (!others)
        return pass_on(others);
    if (auto stored = store_positionals(table, verb, *others); !stored)
        return pass_on(stored);
    if (auto checked = check_pairs(table, *given, *found); !checked)
        return pass_on(checked);
    if (table.manners().quiet && table.manners().verbose)
        return refused(verb,
                       std::string(verb) + ": --quiet and --verbose exclude each other: give one of them");
    if (auto checked = table.check(); !checked)
        return refused(verb, std::string(verb) + ": " + checked.error().message, checked.error().advice);
    return given;
}

Result<Command> parse_arguments(std::span<char const* const> words) {
    Words rest(words.begin(), words.end());
    auto const of_every_verb = take_options_of_every_verb(rest);
    if (rest.empty())
        return printed(first_steps());
    std::string const name = rest.front();
    rest.erase(rest.begin());
    rest.insert(rest.begin(), of_every_verb.begin(), of_every_verb.end());
    if (auto const* const verb = find_verb(name))
        return parse_verb(*verb, rest);
    if (name == "-h" || name == "--help")
        return parse_verb(help_verb, rest);
    if (name == "--version" || name == "-V" || name == "version")
        return printed("parcast " + std::string(version) + "\n");
    if (name.starts_with('-'))
        return refused("", "there is no option " + name + " before the verb");
    return parse_meant(name, rest);
}

}  // namespace parcast::cli
