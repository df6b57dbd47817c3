// The libraries of parcast that go into host programs, on disk, and the environment that brings them there.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"

namespace parcast::record {

inline constexpr char recorder_library[] = "libparcast-recorder.so";
inline constexpr char binder_library[] = "libparcast-binder.so";

// Where an installation or a build tree has it relative to this program. Errors: not_found.
Result<std::string> find_preloaded_library(std::string const& name);

// "NAME=value"
using Environment = std::vector<std::string>;

void set_variable(Environment& environment, std::string_view name, std::string const& value);

// ld.so splits LD_PRELOAD at spaces and colons, and knows no quoting.
bool is_loadable(std::string const& library);

// Our own environment, with the library before the others that are preloaded. `folder`: a private
// one, where a link to it is made if its path is not loadable. AddressSanitizer is asked to bear a library
// before it.
Environment preloading_environment(std::string const& library, std::string const& folder);

// The recorder reads two variables of its own, and inside a stranger's program it cannot complain.
std::optional<Error> reason_not_to_obey_environment();

struct RecorderSettings {
    std::string library;
    std::string folder;  // of the raw files
    unsigned cpu = 0;
    std::optional<unsigned> pretend_cpus;
    std::optional<std::uint64_t> max_bytes;  // of the raw file of a process
    std::optional<unsigned> call_depth;      // of instrumented functions that are distinguished
};

// With what the recorder needs, and with waiting policies that sleep instead of spinning: on one CPU a
// spinning thread burns the time of the one it waits for.
Environment recording_environment(RecorderSettings const& settings);

// The same without the recorder: for a run that is compared with the recorded one.
Environment environment_beside_recording();

}  // namespace parcast::record
