// parcast completion SHELL

#include <algorithm>
#include <string>
#include <vector>

#include "cli/completion/completion.h"
#include "cli/options/option_values.h"
#include "cli/terminal.h"
#include "cli/verbs.h"

namespace parcast::cli {

namespace {

struct CompletionArguments {
    std::string shell;

    friend bool operator==(CompletionArguments const&, CompletionArguments const&) = default;
};

void describe_options(OptionTable& options, CompletionArguments& arguments) {
    std::vector<std::string> names;
    for (auto const& shell : shells)
        names.emplace_back(shell.name);
    options.word("SHELL", "a shell: " + listed(names, " or "), arguments.shell, 1, names);
}

int complete(CompletionArguments const& arguments) {
    auto const* const shell = std::ranges::find(shells, arguments.shell, &Shell::name);
    if (shell != shells.end())
        return print_result(shell->script());
    return print_failure(make_error(ErrorCode::unasked,
                                    "there is no completion for the shell \"" + arguments.shell + "\"",
                                    "There is one for bash, zsh and fish: parcast help completion"));
}

}  // namespace

Verb const completion_verb{
    .name = "completion",
    .example = "completion bash",
    .summary = "complete parcast's command line in your shell",
    .examples = R"(
  parcast completion bash >~/.local/share/bash-completion/completions/parcast
  parcast completion zsh >~/.zfunc/_parcast              # a folder of $fpath
  parcast completion fish >~/.config/fish/completions/parcast.fish
  source <(parcast completion bash)                      # for this shell alone
)",
    .description = R"(
Writes a script with which a shell completes verbs, options and their values: schedulers, networks, machine
files, recordings and other inputs. The package for Debian installs it for all three shells.
)",
    .exit_status = "5 the script could not be written",
    .see_also = "help",
    .prepare = prepared<CompletionArguments, describe_options, complete>,
};

}  // namespace parcast::cli
