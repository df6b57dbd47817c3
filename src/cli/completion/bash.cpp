// bash, with or without the package bash-completion: a function that looks its verb and option up in `case`s.

#include <fmt/format.h>

#include "cli/completion/completed_verb.h"
#include "cli/completion/completion.h"

namespace parcast::cli {

namespace {

constexpr std::string_view bash_beginning =
    R"(# bash completion for parcast, written by: parcast completion bash
# shellcheck shell=bash

# Files that end in one of $endings, or any where none does, and folders on the way.
_parcast_files() {
    local ending found=()
    for ending in $endings; do
        mapfile -t -O "${#found[@]}" found < <(compgen -f -X "!*.$ending" -- "$current")
    done
    if ((${#found[@]} == 0)); then
        mapfile -t found < <(compgen -f -- "$current")
    else
        mapfile -t -O "${#found[@]}" found < <(compgen -d -- "$current")
    fi
    # The machines that parcast calibrate measured.
    if [[ " $endings " == *' toml '* ]]; then
        mapfile -t -O "${#found[@]}" found < <(compgen -f -X '!*.toml' -- \
            "${XDG_CONFIG_HOME:-$HOME/.config}/parcast/machines/${current##*/}")
    fi
    COMPREPLY+=("${found[@]}")
    compopt -o filenames 2>/dev/null
}

# What was found for $kind, $words and $endings.
_parcast_offer() {
    local before= last=$current
    if [[ $kind == list && $current == *,* ]]; then
        before=${current%,*}, last=${current##*,}
    fi
    mapfile -t COMPREPLY < <(compgen -P "$before" -W "$words" -- "$last")
    case $kind in
        files) _parcast_files ;;
        folders)
            mapfile -t COMPREPLY < <(compgen -d -- "$current")
            compopt -o filenames 2>/dev/null
            ;;
        commands) mapfile -t COMPREPLY < <(compgen -c -- "$current") ;;
        list) compopt -o nospace 2>/dev/null ;;
    esac
}

# The program that is run, from the word with this number on.
_parcast_program() {
    if declare -F _command_offset >/dev/null; then
        _command_offset "$1"
    elif (($1 == COMP_CWORD)); then
        mapfile -t COMPREPLY < <(compgen -c -- "$current"; compgen -f -- "$current")
    else
        compopt -o filenames 2>/dev/null
        mapfile -t COMPREPLY < <(compgen -f -- "$current")
    fi
}

)";

constexpr std::string_view bash_end = R"(
_parcast() {
    local current=${COMP_WORDS[COMP_CWORD]} verb first=1 kind words endings options with_value runs_a_program
    local option= place=0 number word
    COMPREPLY=()
    # Options of every verb may stand before it.
    while ((first < COMP_CWORD)) && [[ ${COMP_WORDS[first]} == -* ]]; do
        [[ ${COMP_WORDS[first]} == --color ]] && ((++first))
        ((++first))
    done
    verb=${COMP_WORDS[first]-}
    if ((COMP_CWORD <= first)); then
        words="$_parcast_verbs --help --version" kind=words endings=
        _parcast_offer
        return
    fi
    _parcast_options "$verb" || return
    for ((number = first + 1; number < COMP_CWORD; ++number)); do
        word=${COMP_WORDS[number]}
        if [[ $option && $word == = ]]; then
            continue
        elif [[ $option ]]; then
            option=
        elif [[ $word == -- ]]; then
            _parcast_program $((number + 1))
            return
        elif [[ " $with_value " == *" $word "* ]]; then
            option=$word
        elif [[ $word != -* ]]; then
            if [[ $runs_a_program ]]; then
                _parcast_program "$number"
                return
            fi
            ((++place))
        fi
    done
    [[ $current == = ]] && current=
    kind=words words= endings=
    if [[ $option ]]; then
        _parcast_value "$verb $option"
    elif [[ $current == -* ]]; then
        words=$options
    elif [[ $runs_a_program ]]; then
        _parcast_program "$COMP_CWORD"
        return
    else
        _parcast_word "$verb $place"
    fi
    _parcast_offer
}

complete -F _parcast parcast
)";

std::string_view kind_word(CompletedValue const& value) {
    using enum CompletedValue::Kind;
    switch (value.kind) {
        case files: return "files";
        case folders: return "folders";
        case commands: return "commands";
        default: return value.is_list ? "list" : "words";
    }
}

// "kind=files words='default' endings='toml'"
std::string assignments(CompletedValue const& value) {
    return fmt::format("kind={} words={} endings={}", kind_word(value), quoted_for_shell(joined(value.words)),
                       quoted_for_shell(joined(value.endings)));
}

}  // namespace

std::string bash_completion() {
    std::string names;
    std::string options = "_parcast_options() {\n    case $1 in\n";
    std::string values = "_parcast_value() {\n    case $1 in\n";
    std::string words = "_parcast_word() {\n    case $1 in\n";
    for (auto const& verb : completed_verbs()) {
        names.append(names.empty() ? "" : " ").append(verb.name);
        std::vector<std::string> spelled;
        std::vector<std::string> with_value;
        for (auto const& option : verb.options) {
            spelled.insert(spelled.end(), option.names.begin(), option.names.end());
            if (option.value_name.empty())
                continue;
            with_value.insert(with_value.end(), option.names.begin(), option.names.end());
            if (option.value.kind == CompletedValue::Kind::nothing)
                continue;
            std::string patterns;
            for (auto const& name : option.names)
                patterns += fmt::format("{}'{} {}'", patterns.empty() ? "" : " | ", verb.name, name);
            values += fmt::format("        {}) {} ;;\n", patterns, assignments(option.value));
        }
        options += fmt::format("        {}) options='{}' with_value='{}' runs_a_program={} ;;\n", verb.name,
                               joined(spelled), joined(with_value), verb.runs_a_program ? "yes" : "");
        for (std::size_t place = 0; place < verb.positionals.size(); ++place)
            words +=
                fmt::format("        '{} {}'{}) {} ;;\n", verb.name, place,
                            place + 1 == verb.positionals.size() ? fmt::format(" | '{} '*", verb.name) : "",
                            assignments(verb.positionals[place]));
    }
    options += "        *) return 1 ;;\n    esac\n}\n\n";
    values += "    esac\n}\n\n";
    words += "    esac\n}\n";
    return fmt::format("{}_parcast_verbs='{}'\n\n{}{}{}{}", bash_beginning, names, options, values, words,
                       bash_end);
}

}  // namespace parcast::cli
