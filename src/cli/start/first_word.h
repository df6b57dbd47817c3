// What the first word of a command line asks for if it is no verb: a file of ours, a program, or a verb in
// other words.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"

namespace parcast::cli {

struct MeantCommands {
    std::string note;  // "halo.steps.json is a step program: parcast predict ..."
    std::vector<std::vector<std::string>> commands;  // verbs with their words, without "parcast"
    std::string text;                                // for a file with which there is nothing else to do
};

// `rest`: what follows it; `own_words`: without options of every verb. Errors, with the command that
// is meant as their advice: unasked; those of a file.
Result<MeantCommands> commands_meant(std::string const& word, std::vector<std::string> const& rest,
                                     std::vector<std::string> const& own_words);

// Its advice is the verb that is meant, with these words before and behind it. Error: unasked.
Error no_verb(std::string_view name, std::string const& before, std::vector<std::string> const& behind = {});

}  // namespace parcast::cli
