// The texts of `parcast help`. Written by hand, examples first; a test checks that they name every
// option that the parser takes.

#pragma once

#include <span>
#include <string_view>

namespace parcast::cli {

std::span<std::string_view const> verbs();  // "record", "info", "predict", ..., "help"

std::string_view overview();

// REQUIRES: one of verbs().
std::string_view help_of(std::string_view verb);

}  // namespace parcast::cli
