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

tl::unexpected<Error> cannot_write(std::string const& name, int reason) {
    ErrorCode const code =
        reason == ENOSPC || reason == EDQUOT ? ErrorCode::exhausted : ErrorCode::not_permitted;
    return fail(code, "the trace " + name + " could not be written: " + std::strerror(reason));
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

// A trace on its way to a file. The first failure stays, and the rest is not written.
class TraceFile {
public:
    TraceFile(Timeline const& recorded, std::string const& name)
        : name_(name),
          file_(name),
          failure_(file_.is_open() ? 0 : errno),
          writer_(recorded, [this](std::span<std::byte const> piece) { append(piece); }) {}

    RecordingSink sink() {
        return {[this](ThreadId thread, std::span<Event const> events) { writer_.add(thread, events); },
                [this](ThreadId thread, std::span<WorkShare const> shares) {
                    writer_.add_shares(thread, shares);
                }};
    }

    Result<WrittenTrace> finish() {
        writer_.finish();
        if (failure_ == 0 && !file_.settle())
            failure_ = errno;
        std::string chosen = name_;
        for (int attempt = 1; failure_ == 0 && !file_.move_to(chosen); ++attempt) {
            failure_ = errno == EEXIST ? 0 : errno;
            if (failure_ == 0)
                chosen = stem_of(name_) + "." + std::to_string(attempt) + std::string(ending);
        }
        if (failure_ != 0)
            return cannot_write(chosen, failure_);
        return WrittenTrace{std::move(chosen), bytes_};
    }

private:
    void append(std::span<std::byte const> piece) {
        if (failure_ == 0 && !file_.append(piece))
            failure_ = errno;
        bytes_ += piece.size();
    }

    std::string name_;
    TemporaryFile file_;
    int failure_;  // an errno
    std::size_t bytes_ = 0;
    trace::RecordingWriter writer_;
};

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

Result<WrittenTrace> write_trace(Timeline const& recorded, std::string const& name) {
    TraceFile file(recorded, name);
    auto const sink = file.sink();
    hand_over_events(recorded, sink.events);
    hand_over_shares(recorded, sink.shares);
    return file.finish();
}

std::string write_traces(RecordedRun& run, std::optional<std::string> const& output, Listener const& tell) {
    bool const has_main = !run.images.empty() && run.images.front().is_main;
    std::string const main_program = has_main ? run.images.front().program : run.program;
    std::string const main_name = output ? *output : trace_name({}, main_program, run.end.process);
    std::size_t const further = run.images.size() - (has_main ? 1 : 0);
    std::string const folder = further > most_traces_beside ? folder_for_further_traces(main_name) : "";
    for (std::size_t i = 0; i < run.images.size(); ++i) {
        RecordedImage& image = run.images[i];
        if (!run.raw_images[i])
            continue;
        tell({Notice::Kind::progress, "writing the trace of " + image.program});
        std::string const name = image.is_main ? main_name
                                               : folder + trace_name(folder.empty() ? output : std::nullopt,
                                                                     image.program, image.process);
        TraceFile file(image.timeline, name);
        read_events(*run.raw_images[i], image, file.sink());
        if (!image.problem.empty())
            continue;
        auto written = file.finish();
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
