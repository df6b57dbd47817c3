#include "record/trace_files.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <span>
#include <string_view>

#include <sys/stat.h>
#include <unistd.h>

#include "core/file_name_pattern.h"
#include "measure/host_description.h"
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

std::string name_of_program(std::string const& program) {
    auto const name = std::filesystem::path(program).filename().string();
    return name.empty() ? "program" : name;
}

// REQUIRES: a pattern that reason_not_to_write() took.
std::string name_by_pattern(std::string const& pattern, std::string const& program, std::int64_t process) {
    return *expanded_file_name(pattern, {process, measure::host_name(), name_of_program(program)});
}

// STEM.PID.parcast beside `output`, or NAME.PID.parcast.
std::string trace_name(std::optional<std::string> const& output, std::string const& program,
                       std::int64_t process) {
    std::string const stem = output ? stem_of(*output) : name_of_program(program);
    return stem + "." + std::to_string(process) + std::string(ending);
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

    Result<WrittenTrace> finish(FormerTrace former = FormerTrace::keep) {
        writer_.finish();
        if (failure_ == 0 && !file_.settle())
            failure_ = errno;
        if (failure_ == 0 && former == FormerTrace::replace) {
            if (!file_.replace(name_))
                return cannot_write(name_, errno);
            return WrittenTrace{name_, bytes_};
        }
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

std::optional<Error> reason_not_to_write(TraceOutput const& output) {
    if (!output.name)
        return reason_of_folder(".");
    // The process is not known yet.
    auto const name = expanded_file_name(*output.name, {0, measure::host_name(), "program"});
    if (!name)
        return with_code(ErrorCode::unasked, name.error(), "Such as: -o %e.%h.%p.parcast");
    if (*name == "-")
        return make_error(ErrorCode::unasked, "-o -: standard output is the program's",
                          "Name a file: -o NAME.parcast");
    bool const is_pattern = *name != *output.name;
    struct stat status{};
    bool const is_there = lstat(name->c_str(), &status) == 0;
    if (!is_there && errno == ENAMETOOLONG)
        return cannot_write_there("the name of the trace is too long for this file system",
                                  "Give a shorter one: -o NAME.parcast");
    if (!is_pattern && is_there) {
        if (S_ISDIR(status.st_mode))
            return cannot_write_there(
                *name + " is a folder",
                "Name a file in it: -o " + *name + (name->back() == '/' ? "" : "/") + "NAME.parcast");
        if (!S_ISREG(status.st_mode))
            return cannot_write_there(*name + " is not an ordinary file", "Give another -o.");
        if (output.former == FormerTrace::keep)
            return cannot_write_there(
                *name + " exists already",
                "Replace it with --force, or name another file with -o; -o %e.%p.parcast "
                "is new each time.");
    }
    if (name->back() == '/')
        return cannot_write_there("-o needs the name of a file", "Give one: -o NAME.parcast");
    return reason_of_folder(folder_of(*name));
}

Result<WrittenTrace> write_trace(Timeline const& recorded, std::string const& name, FormerTrace former) {
    TraceFile file(recorded, name);
    auto const sink = file.sink();
    hand_over_events(recorded, sink.events);
    hand_over_shares(recorded, sink.shares);
    return file.finish(former);
}

std::string write_traces(RecordedRun& run, TraceOutput const& output, Listener const& tell) {
    bool const has_main = !run.images.empty() && run.images.front().is_main;
    std::string const main_program = has_main ? run.images.front().program : run.program;
    std::string const main_name = output.name ? name_by_pattern(*output.name, main_program, run.end.process)
                                              : trace_name({}, main_program, run.end.process);
    bool const has_own_names = output.name && names_process(*output.name);
    auto const name_of_further = [&](RecordedImage const& image) {
        return has_own_names ? name_by_pattern(*output.name, image.program, image.process)
                             : trace_name(output.name ? std::optional(main_name) : std::nullopt,
                                          image.program, image.process);
    };
    std::size_t const further = run.images.size() - (has_main ? 1 : 0);
    std::string const folder = further > most_traces_beside ? folder_for_further_traces(main_name) : "";
    for (std::size_t i = 0; i < run.images.size(); ++i) {
        RecordedImage& image = run.images[i];
        if (!run.raw_images[i])
            continue;
        tell({Notice::Kind::progress, "writing the trace of " + image.program});
        std::string const name = image.is_main    ? main_name
                                 : folder.empty() ? name_of_further(image)
                                                  : folder + trace_name({}, image.program, image.process);
        TraceFile file(image.timeline, name);
        read_events(*run.raw_images[i], image, file.sink());
        if (!image.problem.empty())
            continue;
        auto written = file.finish(image.is_main ? output.former : FormerTrace::keep);
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
