#include "cli/trace_files.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <string_view>

#include <sys/stat.h>
#include <unistd.h>

#include "cli/exit_status.h"
#include "cli/messages.h"
#include "cli/temporary_file.h"

namespace parcast::cli {

namespace {

constexpr std::string_view ending = ".parcast";

std::string stem_of(std::string const& file) {
    return file.ends_with(ending) ? file.substr(0, file.size() - ending.size()) : file;
}

Error print_failure(std::string message, std::string advice) {
    return make_error(ErrorCode::not_recorded, std::move(message), std::move(advice));
}

std::optional<Error> reason_of_folder(std::string const& folder) {
    struct stat status{};
    std::string const shown = folder == "." ? "the working directory" : "the folder " + folder;
    if (stat(folder.c_str(), &status) != 0) {
        return print_failure("the trace cannot be written: " + shown + ": " + std::strerror(errno) + ".",
                             "Make it with mkdir -p " + folder + ", or name another file with -o.");
    }
    if (!S_ISDIR(status.st_mode)) {
        return print_failure("the trace cannot be written: " + folder + " is not a folder.",
                             "Name another file with -o.");
    }
    if (access(folder.c_str(), W_OK | X_OK) != 0) {
        return print_failure("the trace cannot be written to " + shown + ": " + std::strerror(errno) + ".",
                             "Name a file elsewhere with -o.");
    }
    return std::nullopt;
}

tl::unexpected<Error> cannot_write(std::string const& name) {
    ErrorCode const code =
        errno == ENOSPC || errno == EDQUOT ? ErrorCode::exhausted : ErrorCode::not_permitted;
    return fail(code, "the trace " + name + " could not be written: " + std::strerror(errno) + ".");
}

}  // namespace

std::optional<Error> reason_not_to_write(std::optional<std::string> const& output) {
    if (!output)
        return reason_of_folder(".");
    struct stat status{};
    if (lstat(output->c_str(), &status) == 0) {
        if (S_ISDIR(status.st_mode))
            return print_failure(*output + " is a folder.",
                                 "Name a file in it: -o " + *output + "/NAME.parcast");
        return print_failure(*output + " exists already, and a trace is never overwritten.",
                             "Remove it, or give another -o.");
    }
    if (output->back() == '/')
        return print_failure("-o needs the name of a file.", "Give one: -o NAME.parcast");
    return reason_of_folder(folder_of(*output));
}

std::string main_trace_name(std::optional<std::string> const& output, std::string const& program,
                            std::int64_t process) {
    return output ? *output : further_trace_name(output, program, process);
}

std::string further_trace_name(std::optional<std::string> const& output, std::string const& program,
                               std::int64_t process) {
    std::string const stem = output ? stem_of(*output) : std::filesystem::path(program).filename().string();
    return (stem.empty() ? "program" : stem) + "." + std::to_string(process) + std::string(ending);
}

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

Result<std::string> write_trace_file(std::string const& name, std::span<std::byte const> content) {
    TemporaryFile file(name);
    if (!file.is_open() || !file.write_all(content))
        return cannot_write(name);
    std::string chosen = name;
    for (int attempt = 1; !file.move_to(chosen); ++attempt) {
        if (errno != EEXIST)
            return cannot_write(chosen);
        chosen = stem_of(name) + "." + std::to_string(attempt) + std::string(ending);
    }
    return chosen;
}

}  // namespace parcast::cli
