// What is wrong with a model's text, or doubtful: a sentence with its place, what was probably meant, and the
// line with a caret.

#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "core/error.h"

namespace parcast::pamela {

enum class Severity : std::uint8_t { error, warning, note };

struct Diagnostic {
    Severity severity = Severity::error;
    SourcePosition place;      // file, line and column (a letter) from 1
    std::uint32_t length = 1;  // columns that the carets mark
    std::string message;       // "expected ')' before 'seq'"
    std::string hint;          // "did you mean 't_s'?", or empty
};

// What some editors put before a text in UTF-8; it is no part of the first line.
inline constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";

// As compilers print them: file:line:column: error: message, the line, the carets, the hint.
std::string describe(std::span<Diagnostic const> diagnostics, std::string_view text);

}  // namespace parcast::pamela
