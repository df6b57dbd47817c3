// Reads what the recorder left behind (src/wire/record.h): one file a process image, possibly cut off at
// any word by the death of the process.

#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/result.h"
#include "timeline/timeline.h"

namespace parcast::trace {

// The timeline of one process image, with sites as bare addresses: modules and frames are filled in by
// symbolize(). Provenance holds what the recorder knows; the launcher adds the rest.
// Errors: unsupported (version), malformed, truncated (no complete header).
Result<Timeline> read_raw_recording(std::span<std::byte const> file);

}  // namespace parcast::trace
