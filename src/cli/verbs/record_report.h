// What `parcast record` says at the end, on standard error: findings of the main program first, then what was
// recorded, what was written and what to do next. Further processes are summed up, however many they are; or
// all of it as JSON (docs/formats/record.schema.json).

#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "record/run.h"

namespace parcast::cli {

struct RecordReport {
    std::vector<std::string> command;
    unsigned cpu = 0;
    record::ProgramEnd end;
    std::vector<record::RecordedImage> images;  // the main one first
    std::vector<std::int64_t> unseen;           // RecordedRun::unseen
    std::string further_folder;  // of the others, ending in a slash; empty: they lie beside the main one
};

void print_report(RecordReport const& report);
void print_report_as_json(RecordReport const& report);

}  // namespace parcast::cli
