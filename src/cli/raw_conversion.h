// From the raw file of one process image to the timeline that becomes its trace: what the recorder left,
// names from debug information, and what only the launcher knows.

#pragma once

#include <optional>
#include <vector>

#include "cli/launcher.h"
#include "cli/recording_folder.h"
#include "cli/run_watch.h"
#include "core/result.h"
#include "timeline/timeline.h"

namespace parcast::cli {

// `end` is that of the program that was launched: of the last image of its process it gives exit status,
// signal and CPU time; of an image whose recording has no end (killed, or still running) the end time.
// `observed` is about all processes; used is what concerns this one.
// None if the image died before its recording began, or began after the program's end. Errors: those of
// MappedFile::open and read_raw_recording.
Result<std::optional<Timeline>> convert(RawFile const& file, bool is_last_image, ProgramEnd const& end,
                                        Observations const& observed);

}  // namespace parcast::cli
