// The recordings of a folder, a row each: what `parcast info FOLDER` prints. A pipeline or a build leaves one
// recording a process; this says which of them are worth opening.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/time.h"
#include "report/layout.h"
#include "timeline/timeline.h"

namespace parcast::report {

struct ListedRecording {
    std::string file;
    std::optional<std::string> error;  // why it could not be read; then the rest says nothing
    std::string command;               // as it could be typed again
    std::int64_t process = 0;
    std::int64_t parent_process = 0;
    std::string date;
    Duration cpu_time;
    Duration wall_time;
    std::int64_t threads = 0;
    std::int64_t events = 0;
    std::int64_t warnings = 0;
    std::optional<CutReason> cut;  // why it covers only the beginning of its process's run
    double covered = 1;            // share of the run
};

// A folder beside them: where there are many, `parcast record` puts the other processes of a recording into
// one.
struct ProcessFolder {
    std::string name;  // X.processes, of the recording X.parcast
    std::int64_t recordings = 0;
};

struct RecordingsList {
    std::string folder;
    std::vector<ListedRecording> recordings;
    std::vector<ProcessFolder> process_folders;
};

// `recorded` without its events, of which there are so many; `warnings`: how many findings are warnings.
ListedRecording listed_recording(std::string const& file, Timeline const& recorded, std::int64_t events,
                                 std::int64_t warnings);

// Most CPU time first, unreadable files last; folders by name.
void sort_for_reading(RecordingsList& list);

std::string recordings_text(RecordingsList const& list, Layout const& layout);

// docs/formats/info-folder.schema.json.
std::string recordings_json(RecordingsList const& list, std::string_view version);

}  // namespace parcast::report
