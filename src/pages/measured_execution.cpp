#include "pages/measured_execution.h"

#include <string>

#include "page/content.h"
#include "pages/report_elements.h"
#include "view/execution.h"

namespace parcast::pages {

ReportElements measured_elements(MeasuredExecution measured, std::string_view parcast_version) {
    auto& [facts, catalogue, run] = measured;
    auto& intervals = run.timeline->intervals;
    if (intervals->size() > most_intervals_of_report(Form::recording))
        intervals.reset();
    ReportElements report;
    report.elements.push_back(
        {"overview", page::packed(report::measured_execution_json(facts, catalogue, parcast_version))});
    report.elements.push_back({"execution-measured-" + std::to_string(facts.cpus),
                               page::packed(view::measured_execution_bytes(run, catalogue))});
    return report;
}

}  // namespace parcast::pages
