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
#include "trace/block.h"
#include "trace/event_columns.h"
#include "trace/file_bytes.h"
#include "trace/share_columns.h"

namespace parcast::trace {

inline constexpr unsigned recording_version = 9;
inline constexpr unsigned oldest_readable_version = 2;
inline constexpr std::array<char, 8> recording_magic = {'\x89', 'p', 'a', 'r', 'c', 'a', 's', 't'};

// Whether a file that begins with these bytes can be a trace. Fewer bytes than the magic has can begin one.
bool begins_recording(std::span<std::byte const> head);

// Called with all of a recording but its events and shares, before them. What it returns takes them, each
// after it was checked. If nobody takes the shares, only their checksums are looked at.
using BeginEvents = std::function<RecordingSink(Timeline& recorded)>;

// A block of the file lies in memory at a time; the timeline has what `begin` puts into it.
// Errors: unsupported (not a parcast trace, or of another version), truncated, corrupted (checksum),
// malformed (a value that the grammar forbids), each with the byte offset; what was handed over before is
// worth nothing then. Bounded memory on hostile input: no size in the file is believed before it is checked
// against the bytes that are there.
Result<Timeline> read_recording(FileBytes& file, BeginEvents const& begin);

// Puts the events and shares into the timeline.
RecordingSink keep_recording(Timeline& recorded);

// With its events.
Result<Timeline> read_recording(std::span<std::byte const> file);

enum class BlockKind : std::uint8_t { about, catalogue, events, shares };

struct IndexEntry {
    BlockKind kind = BlockKind::about;
    std::uint64_t offset = 0;
    BlockSize size;
    // Where its events begin, so that a later reader can find a time without reading everything.
    std::uint32_t first_thread = 0;
    std::uint64_t first_event = 0;
    std::uint64_t events = 0;
};

// Writes a trace piece by piece: a block of its events and one of its shares lie in memory at a time.
class RecordingWriter {
public:
    // Takes the next bytes of the file. That it fails is the caller's to notice.
    using Output = std::function<void(std::span<std::byte const>)>;

    // Writes all of `recorded` but its events. REQUIRES: check_names(recorded) holds, origin recorded.
    RecordingWriter(Timeline const& recorded, Output output);

    // In the order of an EventSink. REQUIRES: the events are sound (EventCheck).
    void add(ThreadId thread, std::span<Event const> events);
    void add_shares(ThreadId thread, std::span<WorkShare const> shares);
    void finish();

private:
    void write_block();
    void write_shares();
    void write(IndexEntry entry, std::span<std::byte const> content);

    Output output_;
    std::vector<IndexEntry> index_;
    BlockWriter blocks_;
    std::vector<std::byte> piece_;
    BlockOfEvents block_;
    BlockOfShares shares_;
    IndexEntry block_begin_;
    ThreadId thread_;
    std::uint64_t events_of_thread_ = 0;
};

// With its events. REQUIRES: check(recorded) holds, origin recorded.
std::vector<std::byte> write_recording(Timeline const& recorded);

}  // namespace parcast::trace
