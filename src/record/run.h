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
#include "record/raw_conversion.h"
#include "record/recording_folder.h"

namespace parcast::record {

// Where the events are when a recording has ended.
enum class EventsLie : std::uint8_t { in_memory, in_raw_files };

struct RecordingRequest {
    std::vector<std::string> command;  // the program as the shell would find it, and its arguments
    std::optional<unsigned> cpu;       // absent: the highest one allowed
    std::optional<unsigned> pretend_cpus;
    StandardStreams streams;
    std::optional<Duration> time_limit;
    std::optional<std::uint64_t> max_bytes;  // of raw recording, each process; absent: what is bearable
    std::string parcast_version;             // for the provenance
    Listener tell = [](Notice const&) {};
    // parcast: then a signal that ends it ends the program first, with all that it started.
    SignalsAreFor signals = SignalsAreFor::program;
    EventsLie events = EventsLie::in_memory;
    std::optional<unsigned> call_depth = {};  // of instrumented functions that are distinguished
    std::optional<Duration> sample = {};      // look after so much CPU time which function runs
    bool memory_map = false;                  // record changes of the memory map, and page faults
};

struct RecordedRun {
    std::string program;  // its path
    unsigned cpu = 0;
    ProgramEnd end;
    std::vector<RecordedImage> images;  // the main one first; none: the recorder did not start
    std::vector<std::int64_t>
        unseen;  // forked processes that outlive the program and had not begun to record
    // If events lie in raw files, which go with the folder: those of each image that could be read.
    std::optional<RecordingFolder> folder;
    std::vector<std::optional<RawImage>> raw_images;
    std::size_t recordings = 1;  // of which it is the one that others disturbed least
};

// Hands over the events of an image that was read, and notes in it what they show; if that fails, its
// problem.
void read_events(RawImage& raw, RecordedImage& image, RecordingSink const& take);

// The trace to go on with: the main one, unless its program only started the one that worked. None if none is
// without a problem.
std::optional<std::size_t> most_worthwhile(std::span<RecordedImage const> images);

// Refuses what cannot be recorded, before anything runs. A program that fails is a run like any other.
Result<RecordedRun> run_recorded(RecordingRequest const& request);

// The same for the end of the run alone: what was recorded is thrown away, and no function is sampled. Who
// calls holds ending signals back if they are for parcast.
Result<ProgramEnd> run_again(RecordingRequest const& request);

}  // namespace parcast::record
