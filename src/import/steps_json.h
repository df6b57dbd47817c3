// A program of steps in parcast's own JSON (docs/formats/steps.md): ranks that compute and communicate in
// turn.

#pragma once

#include <string>
#include <string_view>

#include "core/result.h"
#include "program/step_program.h"

namespace parcast {

// By the beginning of a text: the name of its schema, or the keys "ranks" and "steps".
bool is_steps_json(std::string_view head);

// Passes check(). Errors: malformed, unsupported (version), out_of_range, inconsistent; with line and column.
// Cost: linear.
Result<StepProgram> steps_from_json(std::string text, std::string_view file);

// What reads back as the same program. Times in ns.
std::string to_steps_json(StepProgram const& program);

}  // namespace parcast
