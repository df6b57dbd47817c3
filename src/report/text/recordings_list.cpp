#include "report/text/recordings_list.h"

#include <algorithm>
#include <tuple>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "report/format.h"
#include "report/json/envelope.h"
#include "report/names.h"
#include "report/table.h"
#include "report/text.h"

namespace parcast::report {

namespace {

using Json = nlohmann::ordered_json;

std::string heading(std::string const& folder, std::vector<ListedRecording> const& recordings) {
    Duration cpu_time;
    for (auto const& recording : recordings)
        cpu_time = Duration{cpu_time.ns + recording.cpu_time.ns};
    return fmt::format("{}: {}, {} of CPU time\n\n", printable(folder),
                       counted(static_cast<std::int64_t>(recordings.size()), "recording"),
                       time_text(cpu_time));
}

// What the process did until it was ended at its time limit is all that it did.
double share_covered(Provenance const& provenance) {
    if (!provenance.cut || provenance.cut->reason == CutReason::time_limit || provenance.wall_ns == 0)
        return 1;
    auto const recorded = static_cast<double>(provenance.wall_ns);
    return recorded / std::max(recorded, static_cast<double>(provenance.cut->run_ns));
}

char const* name_of(CutReason reason) {
    switch (reason) {
        case CutReason::size_limit: return "size_limit";
        case CutReason::no_space: return "no_space";
        case CutReason::time_limit: return "time_limit";
        case CutReason::sandbox: return "sandbox";
        case CutReason::ticks_forbidden: return "ticks_forbidden";
        case CutReason::shared_thread: return "shared_thread";
        case CutReason::clock_failed: return "clock_failed";
        case CutReason::unrecorded_program: return "unrecorded_program";
    }
    return "";
}

char const* reason_of(CutReason cut) {
    switch (cut) {
        case CutReason::size_limit: return "full";
        case CutReason::no_space: return "no space, or out of reach";
        case CutReason::time_limit: return "up to its time limit";
        case CutReason::sandbox: return "the program restricted its system calls";
        case CutReason::ticks_forbidden: return "the program forbade itself to read time stamps";
        case CutReason::shared_thread: return "a process shared the variables of a thread";
        case CutReason::clock_failed: return "a CPU clock could not be read";
        case CutReason::unrecorded_program: return "it went on as a program that was not recorded";
    }
    return "";
}

std::string reason_text(ListedRecording const& recording) {
    std::string const reason = reason_of(*recording.cut);
    if (*recording.cut == CutReason::time_limit)
        return reason;
    return fmt::format("the first {} of the run: {}", percent_text(recording.covered), reason);
}

// Most folders have no such recordings, and need no column for it.
std::string cut_text(std::vector<ListedRecording> const& recordings) {
    std::string text;
    for (auto const& recording : recordings)
        if (recording.cut)
            text += fmt::format("  {}: {}\n", printable(recording.file), reason_text(recording));
    return text.empty() ? "" : "\ncut short (--max-size holds for each process):\n" + text;
}

std::string folders_text(RecordingsList const& list) {
    std::string text;
    for (auto const& folder : list.process_folders)
        text += fmt::format("  {}: {}\n", printable(folder.name), counted(folder.recordings, "recording"));
    return text.empty() ? ""
                        : "\nmore, of the other processes of a recording (parcast info lists each):\n" + text;
}

Json json_of(ListedRecording const& recording) {
    if (recording.error)
        return {{"file", recording.file}, {"error", *recording.error}};
    return {{"file", recording.file},
            {"error", nullptr},
            {"command", recording.command},
            {"process", recording.process},
            {"parent_process", recording.parent_process},
            {"date", recording.date},
            {"cpu_time_ns", recording.cpu_time.ns},
            {"wall_time_ns", recording.wall_time.ns},
            {"threads", recording.threads},
            {"events", recording.events},
            {"warnings", recording.warnings},
            {"cut", recording.cut ? Json(name_of(*recording.cut)) : Json()},
            {"covered", recording.covered}};
}

}  // namespace

ListedRecording listed_recording(std::string const& file, Timeline const& recorded, std::int64_t events,
                                 std::int64_t warnings) {
    Provenance const& provenance = recorded.provenance;
    return {.file = file,
            .error = std::nullopt,
            .command = command_line(provenance.command),
            .process = provenance.process,
            .parent_process = provenance.parent_process,
            .date = provenance.date,
            .cpu_time = Duration{provenance.cpu_ns},
            .wall_time = Duration{provenance.wall_ns},
            .threads = static_cast<std::int64_t>(recorded.catalogue.threads.size()),
            .events = events,
            .warnings = warnings,
            .cut = provenance.cut ? std::optional(provenance.cut->reason) : std::nullopt,
            .covered = share_covered(provenance)};
}

void sort_for_reading(RecordingsList& list) {
    auto const key = [](ListedRecording const& recording) {
        return std::tuple(recording.error.has_value(), -recording.cpu_time.ns, recording.file);
    };
    std::sort(list.recordings.begin(), list.recordings.end(),
              [&](auto const& left, auto const& right) { return key(left) < key(right); });
    std::sort(list.process_folders.begin(), list.process_folders.end(),
              [](auto const& left, auto const& right) { return left.name < right.name; });
}

std::string recordings_text(RecordingsList const& list, Layout const& layout) {
    Table table({{"file", Align::left, Cut::middle},
                 {"process"},
                 {"CPU time"},
                 {"wall time"},
                 {"threads"},
                 {"events"},
                 {"warnings"},
                 {"command", Align::left, Cut::end}});
    for (auto const& recording : list.recordings) {
        if (recording.error) {
            table.add({{printable(recording.file)}, {}, {}, {}, {}, {}, {}, {"cannot be read"}},
                      {printable(*recording.error)});
            continue;
        }
        table.add({{printable(recording.file)},
                   {std::to_string(recording.process)},
                   {time_text(recording.cpu_time)},
                   {time_text(recording.wall_time)},
                   {count_text(recording.threads)},
                   {count_text(recording.events)},
                   {recording.warnings == 0 ? "" : count_text(recording.warnings)},
                   {recording.command}});
    }
    return heading(list.folder, list.recordings) +
           table.text(layout.colour, layout.table_width(),
                      layout.detail == Detail::all ? CutNames::whole_below_the_row : CutNames::stay_cut) +
           cut_text(list.recordings) + folders_text(list);
}

std::string recordings_json(RecordingsList const& list, std::string_view version) {
    Json json = envelope("info-folder", version, {{"folder", list.folder}});
    json["recordings"] = Json::array();
    for (auto const& recording : list.recordings)
        json["recordings"].push_back(json_of(recording));
    json["process_folders"] = Json::array();
    for (auto const& folder : list.process_folders)
        json["process_folders"].push_back({{"folder", folder.name}, {"recordings", folder.recordings}});
    return to_text(json);
}

}  // namespace parcast::report
