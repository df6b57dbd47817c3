#include "record/trace_files.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <span>
#include <string_view>

#include <sys/stat.h>
#include <unistd.h>

#include "record/temporary_file.h"
#include "trace/recording_file.h"

namespace parcast::record {

namespace {

constexpr std::string_view ending = ".parcast";
constexpr std::size_t most_traces_beside = 8;  // the main one; more of them get a folder

std::string stem_of(std::string const& file) {
    return file.ends_with(ending) ? file.substr(0, file.size() - ending.size()) : file;
}

Error cannot_write_there(std::string message, std::string advice) {
    return make_error(ErrorCode::not_recorded, std::move(message), std::move(advice));
}

std::optional<Error> reason_of_folder(std::string const& folder) {
    struct stat status{};
    std::string const shown = folder == "." ? "the working directory" : "the folder " + folder;
    if (stat(folder.c_str(), &status) != 0) {
        return cannot_write_there("the trace cannot be written: " + shown + ": " + std::strerror(errno),
                                  "Make it with mkdir -p " + folder + ", or name another file with -o.");
    }
    // A process may stay in a folder that was removed: nothing can be written there.
    if (status.st_nlink == 0) {
        return cannot_write_there("the trace cannot be written: " + shown + " was removed",
                                  "Change to a folder that exists, or name a file in one with -o.");
    }
    if (!S_ISDIR(status.st_mode)) {
        return cannot_write_there("the trace cannot be written: " + folder + " is not a folder",
                                  "Name another file with -o.");
    }
    if (access(folder.c_str(), W_OK | X_OK) != 0) {
        return cannot_write_there("the trace cannot be written to " + shown + ": " + std::strerror(errno),
                                  "Name a file elsewhere with -o.");
    }
    return std::nullopt;
}

tl::unexpected<Error> cannot_write(std::string const& name) {
    ErrorCode const code =
        errno == ENOSPC || errno == EDQUOT ? ErrorCode::exhausted : ErrorCode::not_permitted;
    return fail(code, "the trace " + name + " could not be written: " + std::strerror(errno));
}

std::string trace_name(std::optional<std::string> const& output, std::string const& program,
                       std::int64_t process) {
    std::string const stem = output ? stem_of(*output) : std::filesystem::path(program).filename().string();
    return (stem.empty() ? "program" : stem) + "." + std::to_string(process) + std::string(ending);
}

// "sh.4711.processes/", or with .1, .2 ... if that exists. Empty if it cannot be made.
std::string folder_for_further_traces(std::string const& main_trace) {
    std::string const wanted = stem_of(main_trace) + ".processes";
    std::string chosen = wanted;
    for (int attempt = 1; mkdir(chosen.c_str(), 0777) != 0; ++attempt) {
        if (errno != EEXIST)
            return {};
        chosen = wanted + "." + std::to_string(attempt);
    }
    return chosen + "/";
}

}  // namespace

std::optional<Error> reason_not_to_write(std::optional<std::string> const& output) {
    if (!output)
        return reason_of_folder(".");
    struct stat status{};
    if (lstat(output->c_str(), &status) == 0) {
        if (S_ISDIR(status.st_mode))
            return cannot_write_there(*output + " is a folder",
                                      "Name a file in it: -o " + *output + "/NAME.parcast");
        return cannot_write_there(*output + " exists already, and a trace is never overwritten",
                                  "Remove it, or give another -o.");
    }
    if (output->back() == '/')
        return cannot_write_there("-o needs the name of a file", "Give one: -o NAME.parcast");
    return reason_of_folder(folder_of(*output));
}

Result<WrittenTrace> write_trace(Timeline const& timeline, std::string const& name) {
    auto const content = trace::write_recording(timeline);
    TemporaryFile file(name);
    if (!file.is_open() || !file.write_all(content))
        return cannot_write(name);
    std::string chosen = name;
    for (int attempt = 1; !file.move_to(chosen); ++attempt) {
        if (errno != EEXIST)
            return cannot_write(chosen);
        chosen = stem_of(name) + "." + std::to_string(attempt) + std::string(ending);
    }
    return WrittenTrace{std::move(chosen), content.size()};
}

std::string write_traces(RecordedRun& run, std::optional<std::string> const& output, Listener const& tell) {
    bool const has_main = !run.images.empty() && run.images.front().is_main;
    std::string const main_program = has_main ? run.images.front().program : run.program;
    std::string const main_name = output ? *output : trace_name({}, main_program, run.end.process);
    std::size_t const further = run.images.size() - (has_main ? 1 : 0);
    std::string const folder = further > most_traces_beside ? folder_for_further_traces(main_name) : "";
    for (RecordedImage& image : run.images) {
        if (!image.problem.empty())
            continue;
        tell({Notice::Kind::progress, "writing the trace of " + image.program});
        std::string const name = image.is_main ? main_name
                                               : folder + trace_name(folder.empty() ? output : std::nullopt,
                                                                     image.program, image.process);
        auto written = write_trace(image.timeline, name);
        if (written) {
            image.file = std::move(written->file);
            image.bytes = written->bytes;
        } else {
            image.problem = describe(written.error());
        }
    }
    return folder;
}

}  // namespace parcast::record
