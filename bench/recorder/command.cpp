#include "command.h"

#include <sched.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <string_view>

namespace parcast::bench {
namespace {

[[noreturn]] void give_up(std::string const& command) {
    std::fprintf(stderr, "this command failed: %s\n", command.c_str());
    std::abort();
}

double seconds(timeval const& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

std::string new_shared_folder() {
    std::string path = "/dev/shm/parcast-bench-XXXXXX";
    if (!mkdtemp(path.data()))
        give_up("mkdtemp " + path);
    return path;
}

}  // namespace

void stay_on_one_cpu() {
    cpu_set_t allowed;
    sched_getaffinity(0, sizeof allowed, &allowed);
    int last = CPU_SETSIZE - 1;
    while (!CPU_ISSET(last, &allowed))
        --last;
    CPU_ZERO(&allowed);
    CPU_SET(last, &allowed);
    sched_setaffinity(0, sizeof allowed, &allowed);
}

SharedFolder::SharedFolder(std::function<void(std::string const& path)> const& before)
    : path_(new_shared_folder()), removal_([this, &before] {
          if (before)
              before(path_);
          std::error_code ignored;
          std::filesystem::remove_all(path_, ignored);
      }) {}

Variant recorded_in(std::string const& folder) {
    return {"recorded", "PARCAST_RECORD_DIR='" + folder + "' LD_PRELOAD='" PARCAST_RECORDER "'"};
}

std::string output_of(std::string const& command) {
    FILE* const output = popen(command.c_str(), "r");
    std::string text;
    for (int letter = output ? std::fgetc(output) : EOF; letter != EOF; letter = std::fgetc(output))
        text += static_cast<char>(letter);
    if (!output || pclose(output) != 0)
        give_up(command);
    return text;
}

double number_printed_by(std::string const& command, std::string const& environment) {
    std::istringstream output(output_of(environment + " " + command));
    double number = 0;
    if (!(output >> number))
        give_up(command);
    return number;
}

double cpu_seconds_of(std::string const& command, std::string const& environment) {
    // env replaces the shell, and the program replaces env: neither is recorded.
    std::string const line = "exec env " + environment + " " + command;
    pid_t const child = fork();
    if (child == 0) {
        execl("/bin/sh", "sh", "-c", line.c_str(), nullptr);
        _exit(127);
    }
    int status = 0;
    rusage usage = {};
    if (wait4(child, &status, 0, &usage) != child || status != 0)
        give_up(command);
    return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

double priced_cost_of(std::string const& command, std::string const& folder) {
    std::string const answer = output_of("'" PARCAST "' record --json -o '" + folder +
                                         "/priced.parcast' -- " + command + " 2>&1 >/dev/null");
    std::string const name = "\"recording_cost\": ";
    std::size_t const at = answer.find(name);
    if (at == answer.npos)
        give_up(command);
    return std::strtod(answer.c_str() + at + name.size(), nullptr);
}

bool is_installed(std::string const& program) {
    char const* const value = std::getenv("PATH");
    std::string_view const path = value ? value : "";
    for (std::size_t begin = 0; begin <= path.size();) {
        std::size_t const end = std::min(path.find(':', begin), path.size());
        std::string const file = std::string(path.substr(begin, end - begin)) + "/" + program;
        if (access(file.c_str(), X_OK) == 0)
            return true;
        begin = end + 1;
    }
    return false;
}

double quantile(std::vector<double> values, double share) {
    std::sort(values.begin(), values.end());
    return values[static_cast<std::size_t>(std::lround(share * static_cast<double>(values.size() - 1)))];
}

}  // namespace parcast::bench
