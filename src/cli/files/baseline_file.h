// What an earlier version of a program took: `parcast predict --json` or `parcast check --json` of then.

#pragma once

#include <string>
#include <string_view>

#include "answer/answer.h"
#include "answer/contract.h"
#include "core/result.h"

namespace parcast::cli {

// Whether the text is JSON rather than a recording.
bool is_baseline_json(std::string_view head);

// Errors: malformed (another text), with the file and with advice.
Result<Baseline> baseline_in(std::string_view text, std::string const& file);

// Of a recording of then, predicted like the one of now.
Baseline baseline_of(Answer const& answer);

}  // namespace parcast::cli
