// fish: a `complete` per option.

#include <fmt/format.h>

#include "cli/completion/completed_verb.h"
#include "cli/completion/completion.h"

namespace parcast::cli {

namespace {

// In fish a backslash escapes inside of single quotes.
std::string quoted_for_fish(std::string_view text) {
    std::string quoted = "'";
    for (char const sign : text) {
        if (sign == '\'' || sign == '\\')
            quoted += '\\';
        quoted += sign;
    }
    return quoted + "'";
}

std::string found_files(CompletedValue const& value) {
    std::string found;
    for (auto const& ending : value.endings)
        found += fmt::format(" (__fish_complete_suffix .{})", ending);
    if (value.endings == std::vector<std::string>{"toml"})
        found += " (__parcast_machines)";
    return found;
}

// The flags of `complete` for a value.
std::string value_flags(CompletedValue const& value) {
    using enum CompletedValue::Kind;
    auto const offered = joined(value.words);
    switch (value.kind) {
        case files: {
            auto const all = offered + found_files(value);
            if (all.empty())
                return " -r -F";
            return (value.endings.empty() ? " -r -F -a " : " -x -a ") + quoted_for_fish(all);
        }
        case folders: return " -x -a '(__fish_complete_directories)'";
        case commands: return " -x -a '(__fish_complete_command)'";
        case words:
            return " -x -a " + quoted_for_fish(value.is_list ? "(__fish_append , " + offered + ")" : offered);
        default: return " -x";
    }
}

}  // namespace

std::string fish_completion() {
    std::string text = R"(# fish completion for parcast, written by: parcast completion fish

# The machines that parcast calibrate measured.
function __parcast_machines
    set -l folder $XDG_CONFIG_HOME
    test -n "$folder"; or set folder $HOME/.config
    set -l found $folder/parcast/machines/*.toml
    test -n "$found"; and printf '%s\n' $found
end

# The verb, once it is written.
function __parcast_verb
    set -l words (commandline -opc)
    test (count $words) -gt 1; and test $words[2] = $argv[1]
end

# How many words behind the verb are no options.
function __parcast_at
    set -l words (commandline -opc)
    set -l plain (string match -v -- '-*' $words[3..-1])
    test (count $plain) -eq $argv[1]
end

# The program behind --, and what it completes itself; before it, programs that could be meant.
function __parcast_program
    set -l words (commandline -opc)
    if set -l at (contains -i -- -- $words)
        set -l behind (string escape -- $words[(math $at + 1)..-1]) (commandline -ct)
        complete -C "$behind"
    else
        __fish_complete_command
    end
end

complete -c parcast -f
complete -c parcast -n __fish_use_subcommand -s h -l help -d 'what parcast does'
complete -c parcast -n __fish_use_subcommand -l version -d 'its version'
)";
    for (auto const& verb : completed_verbs()) {
        text += fmt::format("\ncomplete -c parcast -n __fish_use_subcommand -a {} -d {}\n", verb.name,
                            quoted_for_fish(verb.meaning));
        auto const here = fmt::format("complete -c parcast -n '__parcast_verb {}", verb.name);
        for (auto const& option : verb.options) {
            text += here + "'";
            for (auto const& name : option.names)
                text += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
            if (!option.value_name.empty())
                text += value_flags(option.value);
            text += fmt::format(" -d {}\n", quoted_for_fish(option.meaning));
        }
        if (verb.runs_a_program)
            text += here + "' -x -a '(__parcast_program)'\n";
        for (std::size_t place = 0; place < verb.positionals.size(); ++place) {
            bool const is_last = place + 1 == verb.positionals.size();
            text += here + (is_last && place == 0 ? "'" : fmt::format("; and __parcast_at {}'", place)) +
                    value_flags(verb.positionals[place]) + "\n";
        }
    }
    return text;
}

}  // namespace parcast::cli
