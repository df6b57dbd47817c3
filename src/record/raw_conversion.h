// From the raw file of one process image to the timeline that becomes its trace: what the recorder left,
// names from debug information, and what only the launcher knows.

#pragma once

#include <optional>
#include <string>

#include "core/result.h"
#include "record/launcher.h"
#include "record/recording_folder.h"
#include "record/watch/run_watch.h"
#include "timeline/timeline.h"

namespace parcast::record {

// `end` is that of the program that was launched: of the last image of its process it gives exit status,
// signal and CPU time; of an image whose recording has no end (killed, or still running) the end time.
// `observed` is about all processes; used is what concerns this one. `parcast_version` goes into the
// provenance. None if the image died before its recording began, or began after the program's end. Errors:
// those of MappedFile::open and read_raw_recording.
Result<std::optional<Timeline>> convert(RawFile const& file, bool is_last_image, ProgramEnd const& end,
                                        Observations const& observed, std::string const& parcast_version);

}  // namespace parcast::record
