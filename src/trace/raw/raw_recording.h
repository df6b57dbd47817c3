// Reads what the recorder left behind (src/wire/record.h): one file a process image, possibly cut off at
// any word by the death of the process.

// It is read twice: names and prices are known, and the head of a trace can be written, only when all events
// were seen; then they are handed over, thread by thread. So none of its events needs to lie in memory.

#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "core/result.h"
#include "timeline/event_sink.h"
#include "timeline/timeline.h"
#include "trace/file_bytes.h"
#include "trace/raw/raw_names.h"

namespace parcast::trace {

class RawRecording {
public:
    // Reads it for the first time. `end` is that of a process which died without one.
    // Errors: unsupported (version), malformed, truncated (no complete header).
    static Result<RawRecording> open(FileBytes& file, std::optional<wire::ClockPair> end = {});

    // Without events, and with sites as bare addresses: modules and frames are filled in by symbolize().
    // Provenance holds what the recorder knows; the launcher adds the rest. The caller takes it.
    Timeline& recorded() { return recorded_; }
    wire::Header const& header() const { return layout_.header; }
    RawThreads const& raw() const { return raw_; }
    std::int64_t cpu_ns() const;  // of all threads' events

    // The last event of the thread gets so much more CPU time.
    void add_cpu_time(ThreadId thread, std::int64_t ns);

    // Reads it once more: `file` is the one that was opened, and the events become part of `recorded`.
    // Errors: inconsistent (the timeline would contradict itself), truncated.
    Result<void> hand_over(FileBytes& file, Timeline const& recorded, RecordingSink const& take);

private:
    RawRecording(RawLayout&& layout, TickScale scale, std::int64_t end_ns, RawThreads&& raw);
    void complete_provenance();

    RawLayout layout_;
    TickScale scale_;
    std::int64_t end_ns_;
    RawThreads raw_;
    RawNames names_;
    std::vector<std::int64_t> added_cpu_ns_;  // by thread
    Timeline recorded_;
};

// With its events.
Result<Timeline> read_raw_recording(std::span<std::byte const> bytes);

}  // namespace parcast::trace
