// zsh: a specification per option for its own _arguments.

#include <fmt/format.h>

#include "cli/completion/completed_verb.h"
#include "cli/completion/completion.h"

namespace parcast::cli {

namespace {

constexpr std::string_view zsh_beginning = R"zsh(#compdef parcast
# zsh completion for parcast, written by: parcast completion zsh

# The machines that parcast calibrate measured.
_parcast_machines() {
    _files -W "${XDG_CONFIG_HOME:-$HOME/.config}/parcast/machines" -g "*.toml(-.)"
}

)zsh";

constexpr std::string_view zsh_end = R"zsh(
_parcast() {
    local context state state_descr line curcontext="$curcontext"
    typeset -A opt_args
    _arguments -C '(-)'{-h,--help}'[what parcast does]' '(-)--version[its version]' \
        '1:verb:_parcast_verb' '*::word:->words'
    [[ $state == words ]] || return
    curcontext="${curcontext%:*:*}:parcast-$line[1]:"
    _parcast_words "$line[1]"
}

if [[ $funcstack[1] == _parcast ]]; then
    _parcast "$@"
else
    compdef _parcast parcast
fi
)zsh";

// Inside of '...[here]:...', where brackets, colons and backslashes mean something.
std::string escaped(std::string_view text, std::string_view special) {
    std::string escaped;
    for (char const sign : text) {
        if (special.find(sign) != std::string_view::npos)
            escaped += '\\';
        escaped += sign;
    }
    return escaped;
}

// "*.(toml|json)"; any file where none fits.
std::string action(CompletedValue const& value) {
    using enum CompletedValue::Kind;
    auto const offered = joined(value.words);
    switch (value.kind) {
        case files: {
            std::string const toml =
                value.endings == std::vector<std::string>{"toml"} ? "_parcast_machines" : "";
            std::string const found =
                value.endings.empty() ? "_files"
                                      : fmt::format("_files -g \"*.({})(-.)\"", joined(value.endings, "|"));
            if (offered.empty() && toml.empty())
                return found;
            return fmt::format(
                "_alternative {}{}{}", quoted_for_shell("files:file:" + found),
                offered.empty() ? "" : " " + quoted_for_shell(fmt::format("words:word:({})", offered)),
                toml.empty() ? "" : " " + quoted_for_shell("machines:machine:" + toml));
        }
        case folders: return "_files -/";
        case commands: return "_command_names -e";
        case words:
            return value.is_list ? fmt::format("_sequence compadd - {}", offered)
                                 : fmt::format("({})", offered);
        default: return " ";
    }
}

std::string specification(CompletedOption const& option) {
    auto const names =
        option.names.size() > 1 ? fmt::format("{{{}}}", joined(option.names, ",")) : option.names.front();
    auto const excluded = option.repeats ? std::string("*") : fmt::format("({})", joined(option.names));
    std::string rest = fmt::format("[{}]", escaped(option.meaning, "[]\\"));
    if (!option.value_name.empty())
        rest += fmt::format(":{}:{}", escaped(option.value_name, ":\\"), escaped(action(option.value), ":"));
    return quoted_for_shell(excluded) + names + quoted_for_shell(rest);
}

std::string arguments_of(CompletedVerb const& verb) {
    std::string text = fmt::format("        {})\n            _arguments -s -S \\\n", verb.name);
    for (auto const& option : verb.options)
        text += fmt::format("                {} \\\n", specification(option));
    if (verb.runs_a_program)
        return text +
               "                '(-)1:program:_command_names -e' '*::arguments:_normal'\n            ;;\n";
    for (std::size_t place = 0; place < verb.positionals.size(); ++place) {
        bool const is_last = place + 1 == verb.positionals.size();
        text +=
            fmt::format("                {} \\\n",
                        quoted_for_shell(fmt::format("{}:{}:{}", is_last ? "*" : std::to_string(place + 1),
                                                     "word", escaped(action(verb.positionals[place]), ":"))));
    }
    return text.substr(0, text.size() - 3) + "\n            ;;\n";
}

}  // namespace

std::string zsh_completion() {
    std::string verbs_text;
    std::string cases;
    for (auto const& verb : completed_verbs()) {
        verbs_text += fmt::format(
            "        {}\n", quoted_for_shell(fmt::format("{}:{}", verb.name, escaped(verb.meaning, ":\\"))));
        cases += arguments_of(verb);
    }
    return std::string(zsh_beginning) + "_parcast_verb() {\n    local -a verbs=(\n" + verbs_text +
           "    )\n    _describe verb verbs\n}\n\n_parcast_words() {\n    case $1 in\n" + cases +
           "    esac\n}\n" + std::string(zsh_end);
}

}  // namespace parcast::cli
