// What a shell may offer for the words of a verb, as all scripts need it.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cli/verbs.h"

namespace parcast::cli {

struct CompletedValue {
    enum class Kind : std::uint8_t { nothing, words, files, folders, commands };

    Kind kind = Kind::nothing;
    std::vector<std::string> words = {};    // beside files, too
    std::vector<std::string> endings = {};  // "toml"; none: every file
    bool is_list = false;                   // words between commas
};

struct CompletedOption {
    std::vector<std::string> names;  // {"-o", "--output"}
    std::string value_name;          // "FILE"; empty: a flag
    std::string meaning;             // the first clause of its help
    CompletedValue value;
    bool repeats = false;
};

struct CompletedVerb {
    std::string_view name;
    std::string meaning;
    std::vector<CompletedOption> options = {};
    std::vector<CompletedValue> positionals = {};  // the last one stands for all further words
    bool runs_a_program = false;                   // its words are the program's
};

std::vector<CompletedVerb> completed_verbs();

// 'it'\''s'
std::string quoted_for_shell(std::string_view text);

// "a b c"
std::string joined(std::vector<std::string> const& words, std::string_view between = " ");

}  // namespace parcast::cli
