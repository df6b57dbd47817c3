#include "cli/verbs/report_output.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "cli/exit_status.h"
#include "cli/files/output_file.h"
#include "cli/files/task_graph_file.h"
#include "record/temporary_file.h"

namespace parcast::cli {

namespace fs = std::filesystem;

namespace {

Result<void> written_to(std::string const& file, std::string_view document, Existing existing) {
    auto output = OutputFile::open(file, existing);
    if (!output)
        return pass_on(output);
    if (auto written = output->write(document); !written)
        return written;
    return output->finish();
}

}  // namespace

std::string output_name(ReportArguments const& arguments) {
    if (arguments.output)
        return *arguments.output;
    fs::path const file(arguments.replay.file);
    bool const has_known_ending = file.extension() == ".parcast" || file.extension() == ".pam" ||
                                  is_task_graph_file(arguments.replay.file);
    return (has_known_ending ? file.stem() : file.filename()).string() + ".html";
}

std::optional<Error> reason_not_to_write(ReportArguments const& arguments, std::string const& file) {
    if (file == OutputFile::standard_output) {
        return arguments.json
                   ? std::optional(make_error(ErrorCode::unasked,
                                              "report: --json and -o - both write to standard output.",
                                              "Name a file with -o."))
                   : std::nullopt;
    }
    std::error_code problem;
    if (fs::equivalent(file, arguments.replay.file, problem))
        return make_error(ErrorCode::unasked, file + " is what the report is of.",
                          "Name another file with -o.");
    auto const there = fs::status(file, problem);
    if (fs::is_directory(there))
        return make_error(ErrorCode::not_written, file + " is a folder.",
                          "Name a file in it: -o " + file + "/report.html");
    if (fs::exists(there) && !fs::is_regular_file(there))
        return make_error(ErrorCode::not_written, file + " is no ordinary file.",
                          "Name another one with -o.");
    if (fs::exists(there) && !arguments.force) {
        return make_error(ErrorCode::not_written, file + " exists already.",
                          "Replace it with --force, or give another -o.");
    }
    if (!record::TemporaryFile(file).is_open()) {
        return make_error(ErrorCode::not_written, "cannot write " + file + ": " + std::strerror(errno) + ".",
                          "Name a file in a folder that you can write to with -o.");
    }
    return std::nullopt;
}

std::optional<Error> write_report(std::string const& file, std::string_view document, bool force) {
    auto const written = written_to(file, document, force ? Existing::replace : Existing::keep);
    if (written)
        return std::nullopt;
    return with_code(ErrorCode::not_written, written.error(), "Name a file on a disk with space with -o.");
}

}  // namespace parcast::cli
