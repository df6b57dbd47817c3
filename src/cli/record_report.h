// What `parcast record` says at the end, on standard error: findings of the main program first, then what was
// recorded, what was written and what to do next. Further processes are summed up, however many they are; or
// all of it as JSON (docs/formats/record.schema.json).

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/findings.h"
#include "cli/launcher.h"
#include "timeline/timeline.h"

namespace parcast::cli {

// One trace, written or not.
struct RecordedImage {
    std::string program;  // without its folders
    std::int64_t process = 0;
    bool is_main = false;             // the program that was asked for, or the last that replaced it
    bool is_running = false;          // it outlives the program, so its trace ends early
    std::optional<std::string> file;  // absent: it could not be written
    std::size_t bytes = 0;
    std::string problem;  // why there is no trace
    Timeline timeline;
    std::vector<analysis::Finding> findings;
};

struct RecordReport {
    std::vector<std::string> command;
    unsigned cpu = 0;
    ProgramEnd end;
    std::vector<RecordedImage> images;  // the main one first
    std::string further_folder;  // of the others, ending in a slash; empty: they lie beside the main one
};

// Share of the CPU time that the recorder used: events times the measured cost of one.
double recording_share(Timeline const& timeline);

void print_report(RecordReport const& report);
void print_report_as_json(RecordReport const& report);

}  // namespace parcast::cli
