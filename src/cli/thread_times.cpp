#include "cli/thread_times.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>

namespace parcast::cli {

namespace {

std::string folder_of(std::int64_t process) {
    return "/proc/" + std::to_string(process) + "/task";
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
    std::ifstream file(folder_of(process) + "/" + std::to_string(thread) + "/stat");
    std::string line;
    std::getline(file, line);
    std::size_t const name_end = line.rfind(") ");  // a name may hold anything
    return name_end != std::string::npos && line.compare(name_end + 2, 1, "R") == 0;
}

}  // namespace parcast::cli
