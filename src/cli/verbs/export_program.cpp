#include "cli/verbs/export_program.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "cli/exit_status.h"
#include "cli/terminal.h"
#include "cli/version.h"
#include "core/counted.h"
#include "core/time_text.h"
#include "import/rt_app.h"
#include "program/thread_program.h"
#include "report/codes/codes.h"
#include "report/format.h"
#include "report/json/envelope.h"
#include "report/json/json_parts.h"
#include "report/json/view_json.h"
#include "report/text.h"

namespace parcast::cli {

namespace {

using report::Json;

// Nobody keeps the recorded order in a workload: it may stop where a replay without that order does.
std::string order_note(forecast::Forecast const& forecast) {
    auto const has_deadlock = [](Row const& row) { return row.run.deadlock.has_value(); };
    if (std::ranges::any_of(forecast.answer.rows, has_deadlock))
        return "the replay of the program deadlocks, and so may the workload";
    if (forecast.pairing == simulate::Pairing::any)
        return {};
    return std::string("replays end only under the ") + name_of(forecast.pairing) +
           " model, which keeps more of the recorded order than rt-app does: the workload may deadlock";
}

std::string answer_as_json(forecast::Forecast const& forecast, RtAppWorkload const& workload,
                           ProgramOutput const& output, std::size_t bytes) {
    auto const& program = forecast.threads();
    Json json = report::envelope("export", version, report::input_json(forecast.answer));
    json["format"] = output.format;
    json["execution"] = nullptr;
    json["program"] = {{"threads", program.lists.size()},
                       {"operations", operation_count(program)},
                       {"work_ns", work_ns(program)},
                       {"tasks", workload.tasks},
                       {"events", workload.events},
                       {"notes", workload.notes},
                       {"assumptions", program.assumptions},
                       {"assumption_codes", report::codes_of_assumptions(program.assumptions)}};
    json["files"] = Json::array({{{"file", output.path}, {"bytes", bytes}}});
    return report::to_text(json);
}

std::string answer_as_text(forecast::Forecast const& forecast, RtAppWorkload const& workload,
                           ProgramOutput const& output, std::size_t bytes) {
    return report::printable(report::title_of(forecast.answer)) + ": " +
           counted(static_cast<std::int64_t>(workload.tasks), "task") + ", " +
           counted(static_cast<std::int64_t>(workload.events), "event") + ", " +
           time_text(Duration{work_ns(forecast.threads())}) + " of CPU time\nwrote " +
           report::printable(output.path) + " (" + bytes_text(bytes) + ")\nrun it with " + output.format +
           ' ' + report::printable(output.path) + "\n";
}

}  // namespace

int export_program(Input input, PredictArguments const& replay, ProgramOutput const& output) {
    auto const file = replay.file;
    auto asked = replay;
    asked.cpus = {2, 8};  // what gets stuck mostly does on few CPUs, or on many
    auto const forecast = forecast_input(std::move(input), asked);
    if (!forecast)
        return print_failure(forecast.error());
    auto workload = to_rt_app(forecast->threads());
    if (!workload)
        return print_failure(make_error(ErrorCode::impossible, file + ": " + workload.error().message,
                                        "An execution can be written all the same: parcast export " + file +
                                            " --cpus 2 --format chrome"));
    if (auto note = order_note(*forecast); !note.empty())
        workload->notes.push_back(std::move(note));
    auto const bytes = write_text(workload->text, output.path, output.existing);
    if (!bytes)
        return print_failure(bytes.error());
    if (output.json)
        return print_result(answer_as_json(*forecast, *workload, output, *bytes));
    for (auto const& note : workload->notes)
        print_note("written otherwise: " + note);
    for (auto const& assumption : forecast->threads().assumptions)
        print_note("taken for granted: " + report::assumption_with_code(assumption));
    return output.path == OutputFile::standard_output
               ? exit_success
               : print_result(answer_as_text(*forecast, *workload, output, *bytes));
}

}  // namespace parcast::cli
