// Commands as a user runs them: how long they take, and how much memory at most.

#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace parcast::bench {

struct Usage {
    double wall_s = 0;
    double cpu_s = 0;
    double peak_bytes = 0;
};

// Runs the command to its end and drops its output. Ends the benchmark if it fails.
Usage run_command(std::vector<std::string> words);

// A file NAME in the folder for temporary files, gone when the benchmark is.
class TemporaryFile {
public:
    TemporaryFile(std::string const& ending, std::span<std::byte const> bytes);
    TemporaryFile(TemporaryFile const&) = delete;
    TemporaryFile& operator=(TemporaryFile const&) = delete;
    ~TemporaryFile() { std::filesystem::remove(path_); }
    std::string path() const { return path_.string(); }

private:
    std::filesystem::path path_;
};

}  // namespace parcast::bench
