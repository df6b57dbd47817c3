#include "record/start.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "record/executable.h"

namespace parcast::record {

namespace {

bool is_executable_file(std::string const& path) {
    struct stat status{};
    return stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode) && access(path.c_str(), X_OK) == 0;
}

bool exists(std::string const& path) {
    return access(path.c_str(), F_OK) == 0;
}

bool is_folder(std::string const& path) {
    struct stat status{};
    return stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode);
}

Error not_found(std::string const& name, std::string advice) {
    return make_error(ErrorCode::no_program, "there is no program " + name, std::move(advice));
}

Error not_executable(std::string const& path) {
    if (is_folder(path))
        return make_error(ErrorCode::not_executable, path + " is a folder, not a program",
                          "Name a program in it.");
    return make_error(ErrorCode::not_executable, path + " is not executable",
                      "If it is a program, allow it with: chmod +x " + path);
}

Result<std::string> find_in_path(std::string const& name) {
    char const* const variable = std::getenv("PATH");
    std::string_view folders = variable ? variable : "/usr/local/bin:/usr/bin:/bin";
    std::optional<std::string> forbidden;
    for (;;) {
        std::size_t const end = folders.find(':');
        std::string const folder(folders.substr(0, end));
        std::string path = (folder.empty() ? "." : folder) + "/" + name;
        if (is_executable_file(path))
            return path;
        if (!forbidden && exists(path) && !is_folder(path))
            forbidden = path;
        if (end == std::string_view::npos)
            break;
        folders.remove_prefix(end + 1);
    }
    if (forbidden)
        return fail(not_executable(*forbidden));
    return fail(not_found(name + " in $PATH", exists(name) && !is_folder(name)
                                                  ? "If you mean the one here: ./" + name
                                                  : "Check its name, or give its path."));
}

// Would executing it change who we are? Then the loader drops LD_PRELOAD (AT_SECURE).
bool changes_identity(std::string const& path) {
    struct stat status{};
    if (stat(path.c_str(), &status) != 0)
        return false;
    bool const other_user = (status.st_mode & S_ISUID) && status.st_uid != geteuid();
    bool const other_group =
        (status.st_mode & S_ISGID) && (status.st_mode & S_IXGRP) && status.st_gid != getegid();
    return other_user || other_group;
}

// For root they change nothing, and the loader keeps LD_PRELOAD.
bool has_capabilities(std::string const& path) {
    return geteuid() != 0 && getxattr(path.c_str(), "security.capability", nullptr, 0) > 0;
}

std::optional<Error> reason_of_kind(std::string const& path, Executable const& executable) {
    using enum ExecutableKind;
    // With cgo its threads may be the C library's. What they do is still unseen: they wait by system calls.
    if (executable.is_go)
        return make_error(ErrorCode::not_recorded,
                          path +
                              " is a Go program: Go makes its threads without the C library, so that "
                              "parcast does not see them");
    switch (executable.kind) {
        case dynamic:
        case script: return std::nullopt;
        case unreadable:
            return make_error(ErrorCode::not_recorded,
                              path + " cannot be read (" + std::strerror(executable.reason) +
                                  "), so parcast cannot tell whether a library can be loaded into it",
                              "Make a copy of it that you may read.");
        case unknown:
            return make_error(ErrorCode::not_executable,
                              path + " is neither a program nor a script with \"#!\"",
                              "If it is a shell script, run the shell: parcast ... -- sh " + path);
        case static_program:
            return make_error(
                ErrorCode::not_recorded,
                path +
                    " is statically linked: there is no dynamic loader to put a library of parcast in "
                    "(PT_INTERP is missing)",
                "Link it dynamically (without -static), then try again.");
        case other_machine:
            return make_error(ErrorCode::not_recorded, path + " is a program for another kind of machine",
                              "Build it for 64-bit x86 (x86-64).");
        case other_library:
            return make_error(ErrorCode::not_recorded,
                              path + " uses another C library than glibc (its loader is " +
                                  executable.interpreter + "), into which parcast can load nothing",
                              "Build it against glibc, then try again.");
    }
    return std::nullopt;
}

std::optional<Error> reason_of_privileges(std::string const& path) {
    if (changes_identity(path)) {
        return make_error(ErrorCode::not_recorded,
                          path +
                              " runs as another user or group (setuid or setgid): the dynamic loader then "
                              "loads nothing of parcast",
                          "Take a copy without these bits (cp makes one), or be its owner.");
    }
    if (has_capabilities(path)) {
        return make_error(ErrorCode::not_recorded,
                          path + " has file capabilities: the dynamic loader then loads nothing of parcast",
                          "Take a copy without them (cp makes one).");
    }
    return std::nullopt;
}

}  // namespace

Result<std::string> find_host_program(std::string const& name) {
    if (name.find('/') == std::string::npos) {
        if (name.empty())
            return fail(not_found("with an empty name", "Name the program."));
        return find_in_path(name);
    }
    if (is_executable_file(name))
        return name;
    return fail(exists(name) ? not_executable(name) : not_found(name, "Check its path."));
}

std::optional<Error> reason_not_to_preload(std::string const& path) {
    // The kernel follows interpreters that are scripts themselves, four times at most.
    constexpr int most_interpreters = 5;
    std::string program = path;
    for (int depth = 0; depth < most_interpreters; ++depth) {
        Executable const executable = read_executable(program);
        if (auto reason = reason_of_kind(program, executable))
            return reason;
        if (executable.kind != ExecutableKind::script)
            return reason_of_privileges(program);
        if (!is_executable_file(executable.interpreter)) {
            return make_error(
                ErrorCode::no_program,
                program + " is a script for " + executable.interpreter + ", which cannot be run",
                "Install that interpreter, or correct the first line of the script.");
        }
        program = executable.interpreter;
    }
    return std::nullopt;
}

}  // namespace parcast::record
