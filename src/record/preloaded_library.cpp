#include "record/preloaded_library.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <system_error>

#include <unistd.h>

#include "wire/record.h"

namespace parcast::record {

namespace {

std::string_view name_in(std::string_view variable) {
    return variable.substr(0, variable.find('='));
}

void set_if_absent(Environment& environment, char const* name, std::string const& value) {
    if (!std::getenv(name))
        set_variable(environment, name, value);
}

// AddressSanitizer ends a program in which another library was loaded before it; it works there all the same.
void allow_before_address_sanitizer(Environment& environment) {
    char const* const options = std::getenv("ASAN_OPTIONS");
    std::string const others = options && *options ? std::string(options) + ":" : "";
    if (others.find("verify_asan_link_order") == std::string::npos)
        set_variable(environment, "ASAN_OPTIONS", others + "verify_asan_link_order=0");
}

// A path that is not loadable gets a plain one, the same each time.
std::string loadable_path(std::string const& library, std::string const& folder) {
    if (is_loadable(library))
        return library;
    std::string const link = folder + "/" + std::filesystem::path(library).filename().string();
    return symlink(library.c_str(), link.c_str()) == 0 || errno == EEXIST ? link : library;
}

}  // namespace

bool is_loadable(std::string const& library) {
    return library.find_first_of(" :") == std::string::npos;
}

void set_variable(Environment& environment, std::string_view name, std::string const& value) {
    std::erase_if(environment, [&](std::string const& variable) { return name_in(variable) == name; });
    environment.push_back(std::string(name) + "=" + value);
}

Result<std::string> find_preloaded_library(std::string const& name) {
    constexpr std::array folders{"../lib/parcast", "../lib/x86_64-linux-gnu/parcast", "../lib64/parcast"};
    std::error_code error;
    auto const program = std::filesystem::read_symlink("/proc/self/exe", error);
    if (error) {
        return fail(ErrorCode::not_found,
                    "/proc/self/exe cannot be read, which tells where parcast is "
                    "installed: " +
                        error.message());
    }
    for (char const* const folder : folders) {
        auto const path = (program.parent_path() / folder / name).lexically_normal();
        if (std::filesystem::exists(path, error))
            return path.string();
    }
    return fail(ErrorCode::not_found, name + " is missing: it belongs in " +
                                          (program.parent_path() / folders[0]).lexically_normal().string());
}

std::optional<Error> reason_not_to_obey_environment() {
    char const* const clock = std::getenv("PARCAST_RECORD_CLOCK");
    constexpr std::array<std::string_view, 4> clocks{"", "rseq", "perf", "thread"};
    if (clock && std::find(clocks.begin(), clocks.end(), clock) == clocks.end()) {
        return make_error(
            ErrorCode::not_recorded,
            "PARCAST_RECORD_CLOCK is \"" + std::string(clock) + "\", which is no way of telling CPU time",
            "Set it to rseq, perf or thread, or unset it.");
    }
    char const* const limit = std::getenv("PARCAST_RECORD_LIMIT_BYTES");
    if (limit && std::string_view(limit).find_first_not_of("0123456789") != std::string_view::npos) {
        return make_error(
            ErrorCode::not_recorded,
            "PARCAST_RECORD_LIMIT_BYTES is \"" + std::string(limit) + "\", which is no number of bytes",
            "Set it to digits alone, or unset it.");
    }
    return std::nullopt;
}

namespace {

Environment own_environment() {
    Environment environment;
    for (char** variable = environ; variable && *variable; ++variable)
        environment.emplace_back(*variable);
    return environment;
}

}  // namespace

Environment preloading_environment(std::string const& library, std::string const& folder) {
    auto environment = own_environment();
    char const* const preloaded = std::getenv("LD_PRELOAD");
    std::string const others = preloaded && *preloaded ? ":" + std::string(preloaded) : "";
    set_variable(environment, "LD_PRELOAD", loadable_path(library, folder) + others);
    allow_before_address_sanitizer(environment);
    return environment;
}

namespace {

void let_waiting_threads_sleep(Environment& environment) {
    if (!std::getenv(wire::wait_policy_variable)) {
        set_variable(environment, wire::wait_policy_variable, "passive");
        set_variable(environment, wire::own_wait_policy_variable, "passive");
    }
    set_if_absent(environment, "KMP_BLOCKTIME", "0");
    set_if_absent(environment, "OMPI_MCA_mpi_yield_when_idle", "1");
}

}  // namespace

Environment environment_beside_recording() {
    auto environment = own_environment();
    let_waiting_threads_sleep(environment);
    return environment;
}

Environment recording_environment(RecorderSettings const& settings) {
    auto environment = preloading_environment(settings.library, settings.folder);
    set_variable(environment, "PARCAST_RECORD_DIR", settings.folder);
    set_variable(environment, "PARCAST_RECORD_CPU", std::to_string(settings.cpu));
    if (settings.pretend_cpus)
        set_variable(environment, "PARCAST_PRETEND_CPUS", std::to_string(*settings.pretend_cpus));
    if (settings.max_bytes)
        set_variable(environment, "PARCAST_RECORD_LIMIT_BYTES", std::to_string(*settings.max_bytes));
    if (settings.call_depth)
        set_variable(environment, "PARCAST_CALL_DEPTH", std::to_string(*settings.call_depth));
    let_waiting_threads_sleep(environment);
    return environment;
}

}  // namespace parcast::record
