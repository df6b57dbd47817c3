// The recorder on disk, and the environment that brings it into a program.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/result.h"

namespace parcast::record {

// libparcast-recorder.so, where an installation or a build tree has it relative to this program.
// Errors: not_found.
Result<std::string> find_recorder_module();

// The recorder reads two variables of its own, and inside a stranger's program it cannot complain.
std::optional<Error> reason_not_to_obey_environment();

struct RecorderSettings {
    std::string module;
    std::string folder;  // of the raw files
    unsigned cpu = 0;
    std::optional<unsigned> pretend_cpus;
    std::optional<std::uint64_t> max_bytes;  // of the raw file of a process
    std::optional<unsigned> call_depth;      // of instrumented functions that are distinguished
};

// Our own environment, with what the recorder needs, and with waiting policies that sleep instead of
// spinning: on one CPU a spinning thread burns the time of the one it waits for. AddressSanitizer is asked to
// bear a library before it.
std::vector<std::string> recording_environment(RecorderSettings const& settings);

}  // namespace parcast::record
