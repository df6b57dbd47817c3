#include "measure/commands.h"

#include <chrono>
#include <cstdlib>
#include <fstream>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace parcast::bench {

Usage run_command(std::vector<std::string> words) {
    std::vector<char*> argument_list;
    for (std::string& word : words)
        argument_list.push_back(word.data());
    argument_list.push_back(nullptr);
    auto const begin = std::chrono::steady_clock::now();
    pid_t const child = fork();
    if (child == 0) {
        int const nothing = open("/dev/null", O_WRONLY);
        if (nothing < 0 || dup2(nothing, STDOUT_FILENO) < 0)
            _exit(126);
        execv(argument_list[0], argument_list.data());
        _exit(127);
    }
    int status = 0;
    rusage used{};
    if (wait4(child, &status, 0, &used) != child || status != 0)
        std::abort();
    std::chrono::duration<double> const wall = std::chrono::steady_clock::now() - begin;
    auto const seconds = [](timeval time) {
        return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
    };
    return {wall.count(), seconds(used.ru_utime) + seconds(used.ru_stime),
            1024.0 * static_cast<double>(used.ru_maxrss)};
}

TemporaryFile::TemporaryFile(std::string const& ending, std::span<std::byte const> bytes)
    : path_(std::filesystem::temp_directory_path() / ("parcast-bench-" + std::to_string(getpid()) + ending)) {
    std::ofstream(path_, std::ios::binary)
        .write(reinterpret_cast<char const*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

}  // namespace parcast::bench
