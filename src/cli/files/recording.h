// Opens a recording: file, checksum, grammar and invariants, in that order.

#pragma once

#include <string>

#include "core/result.h"
#include "timeline/timeline.h"

namespace parcast::cli {

// Errors: those of read_file, trace::read_recording and check(Timeline); each message names the file.
Result<Timeline> load_recording(std::string const& path);

// What to do about an input that cannot be used, for the line after the message.
std::string advice_for_recording(Error const& error);

}  // namespace parcast::cli
