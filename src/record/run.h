// Runs a program under the recorder and reads what its processes left: what `parcast record` does once, and
// `scale` for each count of CPUs.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "answer/record.h"
#include "core/notice.h"
#include "core/result.h"
#include "record/launcher.h"

namespace parcast::record {

struct RecordingRequest {
    std::vector<std::string> command;  // the program as the shell would find it, and its arguments
    std::optional<unsigned> cpu;       // absent: the highest one allowed
    std::optional<unsigned> pretend_cpus;
    StandardStreams streams;
    std::optional<Duration> time_limit;
    std::optional<std::uint64_t> max_bytes;  // of raw recording, each process; absent: what is bearable
    std::string parcast_version;             // for the provenance
    Listener tell = [](Notice const&) {};
    // parcast: then a signal that ends it ends the program first, with all that it started. With a limit.
    SignalsAreFor signals = SignalsAreFor::program;
};

struct RecordedRun {
    std::string program;  // its path
    unsigned cpu = 0;
    ProgramEnd end;
    std::vector<RecordedImage> images;  // the main one first; none: the recorder did not start
    std::vector<std::int64_t>
        unseen;  // forked processes that outlive the program and had not begun to record
};

// The trace to go on with: the main one, unless its program only started the one that worked. None if none is
// without a problem.
std::optional<std::size_t> most_worthwhile(std::span<RecordedImage const> images);

// Refuses what cannot be recorded, before anything runs. A program that fails is a run like any other.
Result<RecordedRun> run_recorded(RecordingRequest const& request);

}  // namespace parcast::record
