// Where the traces of a recording go. Nothing that exists is overwritten unless that is asked for.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "core/notice.h"
#include "core/result.h"
#include "record/run.h"
#include "timeline/timeline.h"

namespace parcast::record {

enum class FormerTrace : std::uint8_t { keep, replace };

struct TraceOutput {
    // May hold %p, %h and %e (core/file_name_pattern.h). Absent: NAME.PID.parcast in the working directory.
    std::optional<std::string> name;
    FormerTrace former = FormerTrace::keep;  // of `name`
};

// Before the run: could a trace be created there?
std::optional<Error> reason_not_to_write(TraceOutput const& output);

struct WrittenTrace {
    std::string file;
    std::size_t bytes = 0;
};

// Writes a trace with its events whole or not at all, under `name` or, if that exists by now and is to be
// kept, with .1, .2 ... before the ending. Errors: not_permitted, exhausted (a full disk), nothing left
// behind.
Result<WrittenTrace> write_trace(Timeline const& recorded, std::string const& name,
                                 FormerTrace former = FormerTrace::keep);

// REQUIRES: the events lie in raw files. Writes the traces of all images that could be read, the main one
// first, and notes in each its file or its problem. The main one becomes FILE of `-o FILE`, or
// NAME.PID.parcast; further processes and program images get STEM.PID.parcast beside it, or NAME.PID.parcast;
// if FILE has %p, names of their own.
// Many of those get a folder of their own, which is returned with a slash at its end; empty: they lie beside
// the main one.
std::string write_traces(RecordedRun& run, TraceOutput const& output, Listener const& tell);

}  // namespace parcast::record
