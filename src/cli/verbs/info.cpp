// parcast info FILE: what is in a recording; parcast info FOLDER: which recordings are in a folder.

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "analysis/findings.h"
#include "cli/exit_status.h"
#include "cli/files/inputs.h"
#include "cli/options/option_values.h"
#include "cli/terminal.h"
#include "cli/verbs.h"
#include "cli/version.h"
#include "report/info.h"
#include "report/layout.h"
#include "report/names.h"
#include "report/sentences/sentences.h"
#include "report/text/recordings_list.h"

namespace parcast::cli {

namespace {

struct InfoArguments {
    std::string file;
    bool json = false;
    bool findings_only = false;
    bool all = false;  // no table is cut

    friend bool operator==(InfoArguments const&, InfoArguments const&) = default;
};

std::string findings_alone(Timeline const& recorded, std::vector<Finding> const& findings,
                           report::Layout const& layout) {
    std::string const text = report::findings_text(findings, recorded.catalogue, layout);
    return text.empty() ? "nothing is wrong or doubtful about this recording\n" : text;
}

report::ListedRecording listed_recording(std::filesystem::path const& file) {
    auto const recorded = survey_recording(file.string());
    if (!recorded) {
        report::ListedRecording unreadable;
        unreadable.file = file.filename().string();
        unreadable.error = recorded.error().message;
        return unreadable;
    }
    auto const& [recording, survey] = *recorded;
    auto const findings = analysis::findings(recording, survey);
    auto const warnings = std::count_if(findings.begin(), findings.end(), [](auto const& finding) {
        return finding.severity == Severity::warning;
    });
    return report::listed_recording(file.filename().string(), recording, event_count(survey.profile),
                                    warnings);
}

std::vector<std::filesystem::path> entries_with(std::string const& extension,
                                                std::filesystem::path const& folder,
                                                std::error_code& failed) {
    std::vector<std::filesystem::path> paths;
    for (std::filesystem::directory_iterator entry(folder, failed), end; !failed && entry != end;
         entry.increment(failed)) {
        if (entry->path().extension() == extension)
            paths.push_back(entry->path());
    }
    return paths;
}

// Those that have a recording in them. One that cannot be read is none.
std::vector<report::ProcessFolder> process_folders_in(std::filesystem::path const& folder) {
    std::vector<report::ProcessFolder> folders;
    std::error_code ignored;
    for (auto const& path : entries_with(".processes", folder, ignored)) {
        auto const recordings = entries_with(".parcast", path, ignored).size();
        if (recordings > 0)
            folders.push_back({path.filename().string(), static_cast<std::int64_t>(recordings)});
    }
    return folders;
}

std::string advice_for_none(std::filesystem::path const& folder,
                            std::vector<report::ProcessFolder> const& process_folders) {
    return process_folders.empty()
               ? "make one:  parcast record -- PROGRAM ARGS..."
               : "there are some below it:  parcast info " +
                     report::command_line({(folder / process_folders.front().name).string()});
}

int info_of_folder(InfoArguments const& arguments, report::Layout const& layout) {
    report::RecordingsList list{arguments.file, {}, {}};
    std::error_code failed;
    for (auto const& path : entries_with(".parcast", arguments.file, failed))
        list.recordings.push_back(listed_recording(path));
    if (failed) {
        print_error(arguments.file + ": " + failed.message());
        return exit_input;
    }
    list.process_folders = process_folders_in(arguments.file);
    report::sort_for_reading(list);
    if (list.recordings.empty()) {
        print_error(arguments.file + ": no recording (NAME.parcast) in this folder",
                    advice_for_none(arguments.file, list.process_folders));
        return exit_input;
    }
    return print_result(arguments.json ? report::recordings_json(list, version)
                                       : report::recordings_text(list, layout));
}

int info(InfoArguments const& arguments, GivenOptions const& given) {
    auto const layout = output_layout(arguments.all);
    if (std::error_code failed; std::filesystem::is_directory(arguments.file, failed))
        return info_of_folder(arguments, layout);
    if (auto const checked = given.check_file(arguments.file); !checked)
        return print_failure(checked.error());
    auto const recorded = survey_recording(arguments.file);
    if (!recorded)
        return print_failure(recorded.error());
    auto const& [recording, survey] = *recorded;
    auto const findings = analysis::findings(recording, survey);

    if (arguments.json)
        return print_result(report::info_json(arguments.file, version, recording, survey.profile, findings));
    return print_result(arguments.findings_only
                            ? findings_alone(recording, findings, layout)
                            : report::info_text(recording, survey.profile, findings, layout));
}

void describe_options(OptionTable& options, InfoArguments& arguments) {
    options.input("FILE", {Form::recording}, arguments.file);
    options.flag("--findings", arguments.findings_only,
                 "only what is wrong or doubtful, with places in the source");
    options.flag("--all", arguments.all, "every row and whole names; default: long tables are cut");
    options.flag("--json", arguments.json, "print JSON: docs/formats/info.schema.json");
}

}  // namespace

Verb const info_verb{
    .name = "info",
    .example = "info pigz.4711.parcast",
    .summary = "threads and locks of a recording, and what is doubtful",
    .examples = R"(
  parcast info pigz.4711.parcast
  parcast info --findings pigz.4711.parcast
  parcast info --json pigz.4711.parcast | jq '.objects[0]'
  parcast info recordings/                   which recordings are in this folder
)",
    .description = R"(
Shows where a recording comes from, its threads, its synchronisation objects, and what is wrong or
doubtful about it, the worst first. For a folder: lists the recordings in it.
)",
    .exit_status = "3 the recording is missing, unreadable or damaged; 5 the result could not be written",
    .see_also = "record predict",
    .prepare = prepared<InfoArguments, describe_options, info>,
};

}  // namespace parcast::cli
