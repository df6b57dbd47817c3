// A run that `perf sched record` measured, as one side of a comparison.

#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "analysis/difference.h"
#include "core/result.h"
#include "pages/measured_execution.h"
#include "timeline/timeline.h"

namespace parcast::cli {

struct MeasuredSide {
    analysis::SideAnswers answers;
    pages::MeasuredExecution run;
};

// A run of the recorded program as the kernel scheduled it. Its threads are those of the recording where they
// are as many. `cpus`: that it could use; none: those that it used. Errors: those of reading the file.
Result<MeasuredSide> read_measured_side(std::string const& file, Timeline const& recorded,
                                        std::optional<std::uint32_t> cpus);

}  // namespace parcast::cli
