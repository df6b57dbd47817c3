// How large a trace file is, by its index alone.

#pragma once

#include <cstdint>

#include "core/result.h"
#include "trace/file_bytes.h"

namespace parcast::trace {

// Errors: those of read_recording about the head and the index of the file.
Result<std::uint64_t> count_events(FileBytes& file);

}  // namespace parcast::trace
