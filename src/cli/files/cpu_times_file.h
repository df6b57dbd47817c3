// What `parcast scale --cpu-times --json` wrote, perhaps on another host: docs/formats/cpu-times.schema.json.

#pragma once

#include <string>

#include "answer/cpu_times.h"
#include "core/result.h"

namespace parcast::cli {

// Errors: those of read_json_text; malformed, with the file, and with the count that is not one, from 1 on.
Result<CpuTimes> read_cpu_times(std::string const& file);

}  // namespace parcast::cli
