#include "cli/report_output.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <span>
#include <system_error>

#include "cli/exit_status.h"
#include "cli/temporary_file.h"

namespace parcast::cli {

namespace fs = std::filesystem;

std::string output_name(ReportArguments const& arguments) {
    if (arguments.output) {
        return *arguments.output;
    }
    fs::path const recording(arguments.replay.file);
    fs::path const name = recording.extension() == ".parcast" ? recording.stem() : recording.filename();
    return name.string() + ".html";
}

std::optional<Refusal> reason_not_to_write(std::string const& file, bool force) {
    std::error_code problem;
    auto const there = fs::status(file, problem);
    if (fs::is_directory(there)) {
        return Refusal{exit_output, file + " is a folder.", "Name a file in it: -o " + file + "/report.html"};
    }
    if (fs::exists(there) && !fs::is_regular_file(there)) {
        return Refusal{exit_output, file + " is no ordinary file.", "Name another one with -o."};
    }
    if (fs::exists(there) && !force) {
        return Refusal{exit_output, file + " exists already.",
                       "Replace it with --force, or give another -o."};
    }
    if (!TemporaryFile(file).is_open()) {
        return Refusal{exit_output, "cannot write " + file + ": " + std::strerror(errno) + ".",
                       "Name a file in a folder that you can write to with -o."};
    }
    return std::nullopt;
}

std::optional<Refusal> write_report(std::string const& file, std::string_view document, bool force) {
    TemporaryFile output(file);
    bool const is_written = output.is_open() && output.write_all(std::as_bytes(std::span(document))) &&
                            (force ? output.replace(file) : output.move_to(file));
    if (is_written) {
        return std::nullopt;
    }
    return Refusal{exit_output, "cannot write " + file + ": " + std::strerror(errno) + ".",
                   "Name a file on a disk with space with -o."};
}

}  // namespace parcast::cli
