// The trace file NAME.PID.parcast: grammar and version in docs/formats/trace.md. Columns of events in
// blocks, delta and varint coded, zstd-compressed, each with an XXH3 checksum, and an index at the end.

#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "timeline/timeline.h"

namespace parcast::trace {

inline constexpr unsigned recording_version = 3;
inline constexpr unsigned oldest_readable_version = 2;

// Errors: unsupported (not a parcast trace, or of another version), truncated, corrupted (checksum),
// malformed (a value that the grammar forbids), each with the byte offset. Bounded memory on hostile
// input: no size in the file is believed before it is checked against the bytes that are there.
Result<Timeline> read_recording(std::span<std::byte const> file);

// REQUIRES: check(timeline) holds, origin recorded.
std::vector<std::byte> write_recording(Timeline const& timeline);

}  // namespace parcast::trace
