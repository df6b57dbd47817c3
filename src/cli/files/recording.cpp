#include "cli/files/recording.h"

#include <utility>

#include "cli/files/files.h"
#include "cli/files/task_graph_file.h"
#include "trace/recording_file.h"

namespace parcast::cli {

namespace {

// Library rooms see bytes and know no path: it is added to the place here.
tl::unexpected<Error> with_path(Error error, std::string const& path) {
    SourcePosition place = error.place.value_or(SourcePosition{});
    place.file = path;
    error.place = std::move(place);
    return tl::unexpected<Error>(std::move(error));
}

}  // namespace

Result<Timeline> load_recording(std::string const& path) {
    auto const bytes = read_file(path);
    if (!bytes)
        return pass_on(bytes);
    if (bytes->empty())
        return fail(ErrorCode::truncated, "the file is empty.", SourcePosition{path, {}, {}, {}});
    auto recorded = trace::read_recording(*bytes);
    if (!recorded && is_task_graph_file(path)) {
        return fail(ErrorCode::unsupported,
                    "this is a task graph and no recording: parcast predict, export and extract take it.",
                    SourcePosition{path, {}, {}, {}});
    }
    if (!recorded)
        return with_path(std::move(recorded.error()), path);
    return recorded;
}

std::string advice_for_recording(Error const& error) {
    switch (error.code) {
        case ErrorCode::not_found: return "Make a recording with: parcast record -- PROGRAM ARGS...";
        case ErrorCode::not_permitted:
            return "Ask its owner for the right to read it, or record the program again.";
        case ErrorCode::unsupported:
            return "Recordings are named NAME.PID.parcast; make one with: parcast record -- PROGRAM ARGS...";
        default: return "Copy the file again or record again: parcast record -- PROGRAM ARGS...";
    }
}

}  // namespace parcast::cli
