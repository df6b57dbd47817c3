// The trace file NAME.PID.parcast: grammar and version in docs/formats/trace.md. Columns of events in
// blocks, delta and varint coded, zstd-compressed, each with an XXH3 checksum, and an index at the end.

#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "core/result.h"
#include "timeline/event_sink.h"
#include "timeline/timeline.h"
#include "trace/file_bytes.h"

namespace parcast::trace {

inline constexpr unsigned recording_version = 3;
inline constexpr unsigned oldest_readable_version = 2;
inline constexpr std::array<char, 8> recording_magic = {'\x89', 'p', 'a', 'r', 'c', 'a', 's', 't'};

// Whether a file that begins with these bytes can be a trace. Fewer bytes than the magic has can begin one.
bool begins_recording(std::span<std::byte const> head);

// Called with all of a recording but its events, before them. What it returns takes them, each after it was
// checked.
using BeginEvents = std::function<EventSink(Timeline& recorded)>;

// A block of the file lies in memory at a time; the timeline has what `begin` puts into it.
// Errors: unsupported (not a parcast trace, or of another version), truncated, corrupted (checksum),
// malformed (a value that the grammar forbids), each with the byte offset; what was handed over before is
// worth nothing then. Bounded memory on hostile input: no size in the file is believed before it is checked
// against the bytes that are there.
Result<Timeline> read_recording(FileBytes& file, BeginEvents const& begin);

// Puts the events into the timeline.
EventSink keep_events(Timeline& recorded);

// With its events.
Result<Timeline> read_recording(std::span<std::byte const> file);

// REQUIRES: check(timeline) holds, origin recorded.
std::vector<std::byte> write_recording(Timeline const& timeline);

}  // namespace parcast::trace
