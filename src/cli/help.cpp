#include "cli/help.h"

#include <algorithm>
#include <ranges>
#include <vector>

#include "cli/terminal.h"
#include "report/text.h"

namespace parcast::cli {

namespace {

constexpr std::size_t width = 96;
constexpr std::size_t text_column = 25;  // of what an option is for

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

// Those for every form that the verb takes, then those for fewer. --help is the first of the table.
std::string options_text(OptionTable const& table) {
    auto const forms_of = [&](Option const& option) { return option.forms & table.forms(); };
    std::vector<FormSet> groups{table.forms()};
    for (auto const& option : table.options())
        if (std::ranges::find(groups, forms_of(option)) == groups.end())
            groups.push_back(forms_of(option));
    std::string text;
    for (auto const forms : groups) {
        bool const is_for_all = forms == table.forms();
        text += is_for_all ? "\nOptions:\n" : "\nFor " + plurals_of(forms) + ":\n";
        for (auto const& option : table.options() | std::views::drop(1))
            text += forms_of(option) == forms ? line_of(option) : "";
        text += is_for_all ? line_of(table.options().front()) : "";
    }
    return text;
}

// "Usage: parcast predict FILE [OPTIONS]"
std::string usage(Verb const& verb, OptionTable const& table) {
    std::string text = "Usage: parcast " + std::string(verb.name);
    if (table.runs_a_program())
        return text + " [OPTIONS] -- PROGRAM ARGS...\n";
    for (auto const& positional : table.positionals()) {
        std::string const name = std::string(positional.name) + (positional.most > 1 ? "..." : "");
        text += positional.least == 0 ? " [" + name + "]" : " " + name;
    }
    return text + (table.program_behind() ? " [OPTIONS] [-- PROGRAM ARGS...]\n" : " [OPTIONS]\n");
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
is no answer, for example because the replay deadlocks; 5 a result could not be written; 6 the
program that scale runs failed; 70 a bug in parcast. record ends as the recorded program does: its
status, 128 + signal, 124 time limit, 125 not recorded, 126 not executable, 127 not found.
)";

struct HelpArguments {
    std::string verb;  // or empty

    friend bool operator==(HelpArguments const&, HelpArguments const&) = default;
};

void describe_options(OptionTable& options, HelpArguments& arguments) {
    options.word("VERB", "a verb", arguments.verb, 0);
}

int help(HelpArguments const& arguments) {
    if (arguments.verb.empty())
        return print_result(overview());
    auto const* const verb = find_verb(arguments.verb);
    return verb ? print_result(help_of(*verb)) : print_failure(no_verb(arguments.verb, "parcast help "));
}

}  // namespace

std::string overview() {
    std::string text =
        "parcast forecasts parallel programs: record a program on one CPU, replay it on N.\n\n";
    for (auto const* const verb : verbs)
        text += padded("  parcast " + std::string(verb->example), 45) + std::string(verb->summary) + "\n";
    return text + std::string(end_of_overview);
}

std::string help_of(Verb const& verb) {
    OptionTable table;
    (void)verb.prepare(table);
    return "Examples:" + std::string(verb.examples) + "\n" + usage(verb, table) +
           std::string(verb.description) + options_text(table) + "\n" + exit_status_and_more(verb);
}

Verb const help_verb{
    .name = "help",
    .example = "help predict",
    .summary = "all about one verb",
    .examples = R"(
  parcast help
  parcast help predict
)",
    .description = R"(
Shows what parcast does, or how to use one of its verbs.
)",
    .exit_status = "5 the text could not be written",
    .see_also = "record predict",
    .prepare = prepared<HelpArguments, describe_options, help>,
};

}  // namespace parcast::cli
