#include "cli/start/recordings_here.h"

#include <algorithm>
#include <filesystem>
#include <span>
#include <utility>

#include "core/bytes_text.h"
#include "core/counted.h"
#include "report/names.h"
#include "report/text.h"

namespace parcast::cli {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_shown = 5;
constexpr std::size_t text_column = 45;  // as in `parcast help`

std::string row(std::string start, std::string const& text) {
    start.resize(std::max(start.size() + 1, text_column), ' ');
    return start + text + "\n";
}

std::string command_row(std::vector<std::string> const& words, std::string const& text) {
    return row("  parcast " + report::printable(report::command_line(words)), text);
}

}  // namespace

std::vector<RecordingHere> recordings_noted_in(std::string const& folder) {
    std::vector<std::pair<fs::file_time_type, RecordingHere>> found;
    std::error_code failed;
    for (fs::directory_iterator entry(folder, failed), end; !failed && entry != end;
         entry.increment(failed)) {
        std::error_code unknown;
        if (entry->path().extension() != ".parcast" || !entry->is_regular_file(unknown))
            continue;
        found.emplace_back(entry->last_write_time(unknown),
                           RecordingHere{entry->path().filename().string(), entry->file_size(unknown)});
    }
    std::ranges::sort(found, [](auto const& a, auto const& b) {
        return a.first != b.first ? a.first > b.first : a.second.name < b.second.name;
    });
    std::vector<RecordingHere> recordings;
    for (auto& each : found)
        recordings.push_back(std::move(each.second));
    return recordings;
}

std::string first_steps() {
    auto const here = recordings_noted_in(".");
    std::string text =
        "parcast forecasts parallel programs: record a program on one CPU, replay it on N.\n\n";
    std::string const newest = here.empty() ? "NAME.PID.parcast" : here.front().name;
    if (here.empty())
        text += row("  parcast record -- PROGRAM ARGS...",
                    "run a program on one CPU: leaves NAME.PID.parcast here");
    text += command_row({"predict", newest}, "its time on 1 to 64 CPUs, and what limits it");
    text += command_row({"advise", newest}, "what to change first, and what that brings");
    text += command_row({"view", newest}, "look at it thread by thread, in a browser");
    if (!here.empty()) {
        text += row("  parcast record -- PROGRAM ARGS...", "record another program");
        text += "\nRecordings here, the newest first:\n";
        for (auto const& recording : std::span(here).first(std::min(here.size(), most_shown)))
            text += row("  " + recording.name, bytes_text(recording.bytes));
        if (here.size() > most_shown)
            text +=
                row("  and " + counted(static_cast<std::int64_t>(here.size() - most_shown), "more", "more"),
                    "all of them: parcast info .");
    }
    return text + "\nAll verbs: parcast help. One of them: parcast help predict.\n";
}

}  // namespace parcast::cli
