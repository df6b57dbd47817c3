#include "cli/completion/completed_verb.h"

#include <algorithm>
#include <array>
#include <ranges>
#include <utility>

namespace parcast::cli {

namespace {

// How files of a form usually end, in the order of Form. It is their content that tells what they are.
constexpr std::array<std::string_view, form_names.size()> endings_of_forms{
    "parcast", "json stg dot", "pam", "threads.json", "steps.json", "goal bin ti dim"};

// At spaces; without the dot of an ending.
std::vector<std::string> split_endings(std::string_view text) {
    std::vector<std::string> endings;
    for (auto const& part : text | std::views::split(' ')) {
        std::string_view const ending(part.begin(), part.end());
        if (!ending.empty())
            endings.emplace_back(ending.starts_with('.') ? ending.substr(1) : ending);
    }
    return endings;
}

CompletedValue value_of(Option const& option) {
    using enum CompletedValue::Kind;
    auto const name = option.value();
    bool const is_file = name.find("FILE") != std::string::npos || !option.endings.empty();
    CompletedValue value{.words = option.words, .is_list = option.is_list};
    if (auto const dot = name.find('.'); dot != std::string::npos)  // SCALE.json
        value = {.kind = files, .endings = {name.substr(dot + 1)}};
    else if (is_file)
        value.kind = files, value.endings = split_endings(option.endings);
    else if (name == "FOLDER")
        value.kind = folders;
    else if (name == "COMMAND")
        value.kind = commands;
    else if (!option.words.empty())
        value.kind = words;
    return value;
}

CompletedValue value_of(Positional const& positional, FormSet forms) {
    using enum CompletedValue::Kind;
    if (!positional.words.empty())
        return {.kind = words, .words = positional.words};
    CompletedValue value{.kind = files};
    for (std::size_t form = 0; form < form_names.size(); ++form)
        if (forms.has(static_cast<Form>(form)))
            std::ranges::move(split_endings(endings_of_forms[form]), std::back_inserter(value.endings));
    // A folder or a file of another kind may be meant: a shell then offers every file.
    return value;
}

// "numbers of CPUs, such as 1,2,4-16; default: ..." -> "numbers of CPUs, such as 1,2,4-16"; the name of an
// option whose help begins with its first value: "ideal: processor sharing without costs; linux: ...".
std::string first_clause(Option const& option) {
    std::string_view help = option.help;
    for (std::string_view const end : {"; ", ". ", ": ", " ("})
        help = help.substr(0, help.find(end));
    bool const is_value = help.find(' ') == std::string_view::npos && help.size() < option.help.size();
    return is_value ? option.name().substr(2) : std::string(help);
}

CompletedVerb completed_verb(Verb const& verb) {
    OptionTable table;
    (void)verb.prepare(table);
    CompletedVerb completed{
        .name = verb.name, .meaning = std::string(verb.summary), .runs_a_program = table.runs_a_program()};
    for (auto const& option : table.options())
        completed.options.push_back(
            {option.names(), option.value(), first_clause(option), value_of(option), option.repeats});
    if (!completed.runs_a_program)
        for (auto const& positional : table.positionals())
            completed.positionals.push_back(value_of(positional, table.forms()));
    return completed;
}

}  // namespace

std::vector<CompletedVerb> completed_verbs() {
    std::vector<CompletedVerb> completed;
    for (auto const* const verb : verbs)
        completed.push_back(completed_verb(*verb));
    return completed;
}

std::string quoted_for_shell(std::string_view text) {
    std::string quoted = "'";
    for (char const sign : text)
        quoted += sign == '\'' ? std::string("'\\''") : std::string(1, sign);
    return quoted + "'";
}

std::string joined(std::vector<std::string> const& words, std::string_view between) {
    std::string text;
    for (auto const& word : words)
        text.append(text.empty() ? "" : between).append(word);
    return text;
}

}  // namespace parcast::cli
