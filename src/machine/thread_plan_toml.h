// Text form of a plan for threads: docs/formats/plan.md, version 1.

#pragma once

#include <string>
#include <string_view>

#include "core/result.h"
#include "machine/thread_plan.h"

namespace parcast {

// `file` names the text in messages. Errors: malformed, unsupported (version, unknown key), out_of_range;
// each with line and column.
Result<ThreadPlan> thread_plan_from_toml(std::string_view text, std::string const& file);

std::string to_toml(ThreadPlan const& plan);

}  // namespace parcast
