// The private folder in which the recorders of a program's processes leave their raw files; gone at the
// end, whatever happens.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/result.h"

namespace parcast::cli {

struct RawFile {
    std::string path;
    std::int64_t process = 0;
    unsigned generation = 0;  // counts the images that one process executed, from 0
};

class RecordingFolder {
public:
    // In memory (/dev/shm) if there is enough of it, since the recorder maps its files; else in $TMPDIR
    // or /tmp. Errors: not_permitted, exhausted.
    static Result<RecordingFolder> create();

    RecordingFolder(RecordingFolder&& other) noexcept : path_(std::move(other.path_)) { other.path_.clear(); }
    RecordingFolder& operator=(RecordingFolder&&) = delete;
    ~RecordingFolder();

    std::string const& path() const { return path_; }

    // Ordered by process id and generation.
    std::vector<RawFile> raw_files() const;

private:
    explicit RecordingFolder(std::string path) : path_(std::move(path)) {}

    std::string path_;  // empty after a move
};

}  // namespace parcast::cli
