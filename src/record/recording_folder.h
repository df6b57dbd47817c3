// The private folder in which the recorders of a program's processes leave their raw files; gone at the
// end, whatever happens. A folder is locked (flock) while its parcast lives, so that one left behind by a
// parcast that was killed can be told from one in use.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/result.h"

namespace parcast::record {

struct RawFile {
    std::string path;
    std::int64_t process = 0;
    unsigned generation = 0;  // counts the images that one process executed, from 0
};

// Whether a process has the file open or in its memory, whatever number the process has here. True where the
// system cannot tell.
bool is_in_use(std::string const& file);

// Gives back what the recorder reserved in the file and left unused. False as long as a process uses it.
bool trim_raw_file(RawFile const& file);

class RecordingFolder {
public:
    // In memory (/dev/shm) if there is enough of it, since the recorder maps its files; else in $TMPDIR
    // or /tmp. `max_bytes`: what a process may record, if that was said; it may take half of the free memory,
    // unless there is less room on the disk. Errors: not_permitted, exhausted.
    static Result<RecordingFolder> create(std::optional<std::uint64_t> max_bytes = {});

    RecordingFolder(RecordingFolder&& other) noexcept
        : path_(std::exchange(other.path_, {})), lock_(std::exchange(other.lock_, -1)) {}
    RecordingFolder& operator=(RecordingFolder&& other) noexcept {
        path_.swap(other.path_);
        std::swap(lock_, other.lock_);
        return *this;
    }
    ~RecordingFolder();

    std::string const& path() const { return path_; }

    // How large the recording of a process may become without harm: half of what is free where it lies, and
    // an eighth of the free memory, since predicting from it later takes three times its size.
    std::uint64_t bearable_bytes() const;

    // Ordered by process id and generation.
    std::vector<RawFile> raw_files() const;

private:
    explicit RecordingFolder(std::string path);

    std::string path_;  // empty after a move
    int lock_;          // a descriptor of the folder; -1 after a move, or where folders cannot be locked
};

// Removes folders of this user in `parent` that no living parcast has locked and that are older than a
// minute, since a folder is made before it is locked.
void remove_abandoned_folders(std::string const& parent);

}  // namespace parcast::record
