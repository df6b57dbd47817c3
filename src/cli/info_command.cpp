#include "cli/info_command.h"

#include "analysis/findings.h"
#include "analysis/profile.h"
#include "cli/exit_status.h"
#include "cli/messages.h"
#include "cli/recording.h"
#include "cli/terminal.h"
#include "cli/version.h"
#include "report/findings_text.h"
#include "report/info_json.h"
#include "report/info_text.h"
#include "report/layout.h"

namespace parcast::cli {

namespace {

std::string findings_alone(Timeline const& recorded, std::vector<analysis::Finding> const& findings,
                           report::Layout const& layout) {
    std::string const text = report::findings_text(findings, recorded.catalogue, layout);
    return text.empty() ? "nothing is wrong or doubtful about this recording\n" : text;
}

}  // namespace

int info(InfoArguments const& arguments) {
    auto const recorded = load_recording(arguments.file);
    if (!recorded) {
        print_error(recorded.error(), advice_for_recording(recorded.error()));
        return exit_input;
    }

    auto const findings = analysis::findings(*recorded);
    auto const profile = analysis::profile(*recorded);

    if (arguments.json) {
        return print_result(report::info_json(arguments.file, version, *recorded, profile, findings));
    }
    report::Layout const layout{colour_of(Stream::output), line_width(Stream::output),
                                arguments.all ? report::Detail::all : report::Detail::short_form};
    return print_result(arguments.findings_only ? findings_alone(*recorded, findings, layout)
                                                : report::info_text(*recorded, profile, findings, layout));
}

}  // namespace parcast::cli
