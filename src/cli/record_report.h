// What `parcast record` says at the end, on standard error: findings of the main program first, then what was
// recorded, what was written and what to do next. Further processes are summed up, however many they are; or
// all of it as JSON (docs/formats/record.schema.json).

#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "cli/recorded_run.h"
#include "timeline/timeline.h"

namespace parcast::cli {

struct RecordReport {
    std::vector<std::string> command;
    unsigned cpu = 0;
    ProgramEnd end;
    std::vector<RecordedImage> images;  // the main one first
    std::vector<std::int64_t> unseen;   // RecordedRun::unseen
    std::string further_folder;  // of the others, ending in a slash; empty: they lie beside the main one
};

// Share of the CPU time that the recorder used: events times the measured cost of one.
double recording_share(Timeline const& timeline);

void print_report(RecordReport const& report);
void print_report_as_json(RecordReport const& report);

}  // namespace parcast::cli
