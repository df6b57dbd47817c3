#include "cli/info_command.h"

#include <algorithm>
#include <filesystem>
#include <vector>

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
#include "report/recordings_list.h"

namespace parcast::cli {

namespace {

std::string findings_alone(Timeline const& recorded, std::vector<analysis::Finding> const& findings,
                           report::Layout const& layout) {
    std::string const text = report::findings_text(findings, recorded.catalogue, layout);
    return text.empty() ? "nothing is wrong or doubtful about this recording\n" : text;
}

report::ListedRecording listed(std::filesystem::path const& file) {
    auto const recorded = load_recording(file.string());
    if (!recorded) {
        report::ListedRecording unreadable;
        unreadable.file = file.filename().string();
        unreadable.error = recorded.error().message;
        return unreadable;
    }
    auto const findings = analysis::findings(*recorded);
    auto const warnings = std::count_if(findings.begin(), findings.end(), [](auto const& finding) {
        return finding.severity == analysis::Severity::warning;
    });
    return report::listed(file.filename().string(), *recorded, warnings);
}

int info_of_folder(InfoArguments const& arguments, report::Layout const& layout) {
    std::vector<report::ListedRecording> recordings;
    std::error_code failed;
    for (std::filesystem::directory_iterator entry(arguments.file, failed), end; !failed && entry != end;
         entry.increment(failed)) {
        if (entry->path().extension() == ".parcast") {
            recordings.push_back(listed(entry->path()));
        }
    }
    if (failed) {
        print_error(arguments.file + ": " + failed.message());
        return exit_input;
    }
    if (recordings.empty()) {
        print_error(arguments.file + ": no recording (NAME.parcast) in this folder",
                    "make one:  parcast record -- PROGRAM ARGS...");
        return exit_input;
    }
    report::sort_for_reading(recordings);
    return print_result(arguments.json ? report::recordings_json(arguments.file, version, recordings)
                                       : report::recordings_text(arguments.file, recordings, layout));
}

}  // namespace

int info(InfoArguments const& arguments) {
    report::Layout const layout{colour_of(Stream::output), line_width(Stream::output),
                                arguments.all ? report::Detail::all : report::Detail::short_form};
    if (std::error_code failed; std::filesystem::is_directory(arguments.file, failed)) {
        return info_of_folder(arguments, layout);
    }
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
    return print_result(arguments.findings_only ? findings_alone(*recorded, findings, layout)
                                                : report::info_text(*recorded, profile, findings, layout));
}

}  // namespace parcast::cli
