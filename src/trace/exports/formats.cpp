#include "trace/exports/formats.h"

#include "trace/exports/writers.h"

namespace parcast::trace {

namespace {

void write_table(Execution const& execution, Output& output) {
    execution.marks ? write_event_table(execution, output) : write_interval_table(execution, output);
}

}  // namespace

std::span<ExportFormat const> export_formats() {
    static std::vector<ExportFormat> const formats{
        {"perfetto",
         "for https://ui.perfetto.dev and trace_processor",
         "https://ui.perfetto.dev",
         {{"pftrace", write_perfetto}},
         ExportContent::execution,
         true},
        {"chrome",
         "JSON for speedscope, Perfetto and chrome://tracing",
         "https://www.speedscope.app or https://ui.perfetto.dev",
         {{"json", write_chrome}}},
        {"paraver",
         "three files for Paraver, NAME.prv, NAME.pcf, NAME.row",
         "wxparaver",
         {{"prv", write_paraver_records}, {"pcf", write_paraver_labels}, {"row", write_paraver_names}}},
        {"csv",
         "a table of the intervals, or of the operations with --events",
         "a spreadsheet or a script",
         {{"csv", write_table}}},
        {"csv-messages",
         "a table of the messages that ranks send",
         "a spreadsheet or a script",
         {{"csv", write_message_table}},
         ExportContent::messages},
        {"rt-app",
         "the program itself, as a workload that rt-app runs",
         "rt-app",
         {{"json", nullptr}},
         ExportContent::program}};
    return formats;
}

}  // namespace parcast::trace
