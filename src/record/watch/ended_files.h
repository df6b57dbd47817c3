// While the program runs: the raw files of its processes that have ended shrink to what they hold. A shell
// script with thousands of short processes would fill /dev/shm otherwise.

#pragma once

#include <cstdint>
#include <set>
#include <utility>

#include "core/time.h"
#include "record/recording_folder.h"

namespace parcast::record {

class EndedFiles {
public:
    // The folder must outlive this.
    explicit EndedFiles(RecordingFolder const& folder) : folder_(&folder) {}

    // Once a second, more rarely if it takes long; until the next time.
    Duration trim(std::int64_t now_ns);

private:
    using Name = std::pair<std::int64_t, unsigned>;  // process, generation

    RecordingFolder const* folder_;
    std::set<Name> done_;
    std::int64_t next_ns_ = 0;
};

}  // namespace parcast::record
