#include "cli/help.h"

#include <algorithm>
#include <ranges>
#include <vector>

#include "cli/manual.h"
#include "cli/start/first_word.h"
#include "cli/terminal.h"
#include "cli/version.h"
#include "core/suggestion.h"
#include "report/codes/codes.h"
#include "report/text.h"

namespace parcast::cli {

namespace {

constexpr std::size_t width = 96;
constexpr std::size_t text_column = 25;  // of what an option is for
constexpr std::string_view all_codes = "codes";

std::string padded(std::string text, std::size_t columns) {
    text.resize(std::max(text.size(), columns), ' ');
    return text;
}

// "  --cpus LIST            numbers of CPUs, such as 1,2,4-16; ..."
std::string line_of(Option const& option) {
    std::string const start = padded("  " + std::string(option.spelling), text_column - 1) + " ";
    auto const text =
        report::wrapped(std::string(start.size(), ' ') + std::string(option.help), width, text_column);
    return start + text.substr(start.size()) + "\n";
}

std::string options_text(OptionTable const& table) {
    std::string text;
    for (auto const& group : option_groups(table)) {
        text += "\n" + group.title + ":\n";
        for (auto const* const option : group.options)
            text += line_of(*option);
    }
    return text;
}

std::string exit_status_and_more(Verb const& verb) {
    std::string text = "Exit status: 0 done; 2 wrong command line";
    if (!verb.exit_status.empty())
        text += "; " + std::string(verb.exit_status);
    text = report::wrapped(text + ".", width) + "\nSee also:";
    for (auto const& other : verb.see_also | std::views::split(' '))
        text += " parcast help " + std::string(other.begin(), other.end()) + ",";
    text.back() = '.';
    return text + "\n";
}

constexpr std::string_view end_of_overview = R"(
More: parcast help record, and the same for each verb; parcast --version.

Exit status: 0 done; 2 wrong command line; 3 an input is missing, unreadable or damaged; 4 there
is no answer, for example because the replay deadlocks; 5 a result could not be written; 6 a
program that scale or check runs failed; 7 check: an assertion fails; 8 doctor: something is
missing; 70 a bug in parcast. record ends as the recorded program does: its status, 128 + signal,
124 time limit, 125 not recorded, 126 not executable, 127 not found.
)";

struct HelpArguments {
    std::string topic;  // a verb, a code or "codes"; or empty
    bool as_manual = false;
    bool json = false;

    friend bool operator==(HelpArguments const&, HelpArguments const&) = default;
};

void describe_options(OptionTable& options, HelpArguments& arguments) {
    std::vector<std::string> topics{std::string(all_codes)};
    for (auto const* const verb : verbs)
        topics.emplace_back(verb->name);
    for (auto const& table : report::code_tables())
        for (auto const& row : table.rows)
            topics.emplace_back(row.code);
    options.word("TOPIC", "a verb or a code", arguments.topic, 0, std::move(topics));
    options.flag("--man", arguments.as_manual, "as a page for man: parcast help predict --man | man -l -");
    options.flag("--json", arguments.json, "of codes: print JSON: docs/formats/codes.schema.json");
    options.check([&arguments]() -> Result<void> {
        if (arguments.json && arguments.topic != all_codes)
            return fail(make_error(ErrorCode::unasked, "--json is for the table of codes",
                                   "Try: parcast help codes --json"));
        return {};
    });
}

Error no_topic(std::string const& name) {
    std::vector<std::string_view> topics{all_codes};
    for (auto const* const verb : verbs)
        topics.push_back(verb->name);
    for (auto const& table : report::code_tables())
        for (auto const& row : table.rows)
            topics.push_back(row.code);
    if (auto const meant = nearest(name, topics))
        return make_error(ErrorCode::unasked, "there is no verb or code \"" + name + "\"",
                          "Did you mean: parcast help " + std::string(*meant));
    return no_verb(name, "parcast help ");
}

int help(HelpArguments const& arguments) {
    if (arguments.topic.empty())
        return print_result(arguments.as_manual ? manual_overview() : overview());
    if (arguments.topic == all_codes)
        return print_result(arguments.json ? report::code_list_json(version)
                                           : report::code_list_text(line_width(Stream::output)));
    if (auto const* const verb = find_verb(arguments.topic))
        return print_result(arguments.as_manual ? manual_of(*verb) : help_of(*verb));
    if (auto const found = report::find_code(arguments.topic); found.row)
        return print_result(report::code_text(found, line_width(Stream::output)));
    return print_failure(no_topic(arguments.topic));
}

}  // namespace

std::vector<OptionGroup> option_groups(OptionTable const& table) {
    auto const forms_of = [&](Option const& option) { return option.forms & table.forms(); };
    std::vector<FormSet> sets{table.forms()};
    for (auto const& option : table.own_options())
        if (std::ranges::find(sets, forms_of(option)) == sets.end())
            sets.push_back(forms_of(option));
    std::vector<OptionGroup> groups;
    for (auto const forms : sets) {
        auto& group = groups.emplace_back(
            OptionGroup{forms == table.forms() ? "Options" : "For " + plurals_of(forms), {}});
        for (auto const& option : table.own_options())
            if (forms_of(option) == forms)
                group.options.push_back(&option);
    }
    std::erase_if(groups, [](OptionGroup const& group) { return group.options.empty(); });
    auto& shared = groups.emplace_back(OptionGroup{"For every verb (docs/command-line.md)", {}});
    for (auto const& option : table.options_of_every_verb())
        shared.options.push_back(&option);
    return groups;
}

std::string synopsis(Verb const& verb, OptionTable const& table) {
    std::string text = "parcast " + std::string(verb.name);
    if (table.runs_a_program())
        return text + " [OPTIONS] -- PROGRAM ARGS...";
    for (auto const& positional : table.positionals()) {
        std::string const name = std::string(positional.name) + (positional.most > 1 ? "..." : "");
        text += positional.least == 0 ? " [" + name + "]" : " " + name;
    }
    return text + (table.program_behind() ? " [OPTIONS] [-- PROGRAM ARGS...]" : " [OPTIONS]");
}

std::string_view exit_statuses() {
    return end_of_overview.substr(end_of_overview.find("Exit status: ") + 13);
}

std::string overview() {
    std::string text =
        "parcast forecasts parallel programs: record a program on one CPU, replay it on N.\n\n";
    for (auto const* const verb : verbs)
        text +=
            padded("  parcast " + std::string(verb->example), 44) + " " + std::string(verb->summary) + "\n";
    return text + std::string(end_of_overview);
}

std::string help_of(Verb const& verb) {
    OptionTable table;
    (void)verb.prepare(table);
    return "Examples:" + std::string(verb.examples) + "\nUsage: " + synopsis(verb, table) + "\n" +
           std::string(verb.description) + options_text(table) + "\n" + exit_status_and_more(verb);
}

Verb const help_verb{
    .name = "help",
    .example = "help predict",
    .summary = "all about one verb, or about the code behind a message",
    .examples = R"(
  parcast help
  parcast help predict
  parcast help predict --man | man -l -
  parcast help spin_waiting
  parcast help codes
)",
    .description = R"(
Shows what parcast does, how to use one of its verbs, or what a code means: findings about recordings,
assumptions of forecasts and errors have a short name, which messages print in brackets.
)",
    .exit_status = "5 the text could not be written",
    .see_also = "record predict",
    .prepare = prepared<HelpArguments, describe_options, help>,
};

}  // namespace parcast::cli
