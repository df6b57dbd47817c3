#include "record/watch/thread_times.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <system_error>

namespace parcast::record {

namespace {

std::string folder_of(std::int64_t process) {
    return "/proc/" + std::to_string(process) + "/task";
}

// "PID (NAME) STATE ...", where NAME may hold anything.
std::optional<char> state_in(std::string const& path) {
    std::ifstream file(path);
    std::string line;
    std::getline(file, line);
    std::size_t const name_end = line.rfind(") ");
    bool const has_state = name_end != std::string::npos && name_end + 2 < line.size();
    return has_state ? std::optional(line[name_end + 2]) : std::nullopt;
}

}  // namespace

std::vector<pid_t> threads_of(std::int64_t process) {
    std::vector<pid_t> threads;
    std::error_code error;
    for (std::filesystem::directory_iterator entry(folder_of(process), error), end; !error && entry != end;
         entry.increment(error)) {
        threads.push_back(static_cast<pid_t>(std::atoi(entry->path().filename().c_str())));
    }
    return threads;
}

std::optional<ThreadTimes> times_of(std::int64_t process, pid_t thread) {
    std::ifstream file(folder_of(process) + "/" + std::to_string(thread) + "/schedstat");
    ThreadTimes times;
    return file >> times.run_ns >> times.ready_ns ? std::optional(times) : std::nullopt;
}

bool is_ready(std::int64_t process, pid_t thread) {
    return state_in(folder_of(process) + "/" + std::to_string(thread) + "/stat") == 'R';
}

bool is_alive(std::int64_t process) {
    auto const state = state_in("/proc/" + std::to_string(process) + "/stat");
    return state && *state != 'Z' && *state != 'X';
}

bool is_recorded_in(std::string const& folder, std::int64_t process) {
    std::ifstream file("/proc/" + std::to_string(process) + "/environ");
    std::ostringstream environment;
    environment
        << file.rdbuf();  // never throws, unlike an istreambuf_iterator, where the process ends meanwhile
    return environment.str().find("PARCAST_RECORD_DIR=" + folder) != std::string::npos;
}

}  // namespace parcast::record
