// From the raw file of one process image to what becomes its trace: what the recorder left, names from debug
// information, and what only the launcher knows.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/result.h"
#include "record/launcher.h"
#include "record/memory_map_events.h"
#include "record/other_processes.h"
#include "record/recording_folder.h"
#include "record/sampled_work.h"
#include "record/watch/run_watch.h"
#include "timeline/event_sink.h"
#include "timeline/timeline.h"
#include "trace/raw/raw_recording.h"

namespace parcast::record {

// The recording of a process image, its events still in its raw file: they are read in turn, so that a trace
// of a hundred million needs no memory for them.
class RawImage {
public:
    RawImage(std::string path, trace::RawRecording&& recording, SampledWork&& sampled,
             MemoryMapEvents&& memory_map)
        : path_(std::move(path)),
          recording_(std::move(recording)),
          sampled_(std::move(sampled)),
          memory_map_(std::move(memory_map)) {}

    // Without events. The caller takes it.
    Timeline& recorded() { return recording_.recorded(); }
    // From its first event to its last; by the clock of all processes.
    ProcessSpan span(Timeline const& recorded) const;
    // It forked, spawned or waited for some.
    bool has_children() const { return recording_.raw().has_children; }
    // Those that the image forked.
    std::vector<std::int64_t> forked_processes() const;
    // `recorded` is what the caller took. Errors: those of ReadableFile::open and RawRecording.
    Result<void> hand_over(Timeline const& recorded, RecordingSink const& take);

private:
    std::string path_;
    trace::RawRecording recording_;
    SampledWork sampled_;
    MemoryMapEvents memory_map_;
};

// `end` is that of the program that was launched: of the last image of its process it gives exit status,
// signal and CPU time; of an image whose recording has no end (killed, or still running) the end time.
// `observed` is about all processes; used is what concerns this one. `parcast_version` goes into the
// provenance. None if the image died before its recording began, or began after the program's end. Errors:
// those of ReadableFile::open and RawRecording::open.
Result<std::optional<RawImage>> convert(RawFile const& file, bool is_last_image, ProgramEnd const& end,
                                        Observations const& observed, std::string const& parcast_version);

}  // namespace parcast::record
