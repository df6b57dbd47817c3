// Short stable names of what parcast reports: findings about recordings, assumptions of forecasts, errors.
// One table (finding_codes.cpp, assumption_codes.cpp, error_codes.cpp) with what each means, how it is
// noticed, what to do and a command that provokes it: `parcast help CODE`, docs/findings.md, the brackets
// behind a sentence, and JSON read it.
//
// 1. A finding's code is its kind (answer/finding.h), an error's that of its ErrorCode, or a closer one.
// 2. Assumptions are sentences that travel through files of programs, so that one written by an older
//    parcast has a code, too: it is found by words that no other sentence has (CodeRow::words).
// 3. Codes never change their meaning and are never used again.

#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "answer/finding.h"
#include "core/error.h"

namespace parcast::report {

enum class CodeKind : std::uint8_t { finding, assumption, error };

struct CodeRow {
    std::string_view code;
    std::string_view words;  // of an assumption: its sentence has them; of an error that is closer than its
                             // ErrorCode: its message has them
    std::string_view meaning;
    std::string_view noticed;
    std::string_view remedy;
    std::string_view example;       // commands, one a line, of which the last one prints the code
    std::string_view without = {};  // why there is no example
};

struct CodeTable {
    CodeKind kind;
    std::string_view plural;
    std::span<CodeRow const> rows;
};

std::span<CodeTable const> code_tables();

struct FoundCode {
    CodeKind kind;
    CodeRow const* row;
};
// Null row: there is none of this name.
FoundCode find_code(std::string_view code);

// Empty: the sentence is not parcast's (a file of a program has its own).
std::string_view code_of_assumption(std::string_view sentence);
std::string_view code_of(Error const& error);

// "The times of tasks do not vary. [task_times_fixed]"
std::string sentence_with_code(std::string_view sentence, std::string_view code);
inline std::string sentence_with_code(Finding const& finding) {
    return sentence_with_code(finding.message, name_of(finding.kind));
}
inline std::string assumption_with_code(std::string_view sentence) {
    return sentence_with_code(sentence, code_of_assumption(sentence));
}

// In the order of the sentences.
std::vector<std::string> codes_of_assumptions(std::span<std::string const> sentences);

// "a finding", "an assumption", "an error"
std::string_view one_of(CodeKind kind);

// What `parcast help CODE` prints.
std::string code_text(FoundCode const& found, std::size_t width);
// What `parcast help codes` prints: each with the beginning of what it means.
std::string code_list_text(std::size_t width);
std::string code_list_json(std::string_view parcast_version);

}  // namespace parcast::report
