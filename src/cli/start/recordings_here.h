// The recordings in a folder, by their names alone: nothing of them is read.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace parcast::cli {

struct RecordingHere {
    std::string name;
    std::uint64_t bytes = 0;
};

// NAME.parcast, the newest first. None in a folder that cannot be read.
std::vector<RecordingHere> recordings_noted_in(std::string const& folder);

// `parcast` alone: what to do first, and which recordings are in the working directory.
std::string first_steps();

}  // namespace parcast::cli
