// The chunks of a raw recording, sorted out: which bytes are the events of which stream, and the texts.
// Nothing is decoded here. A file cut off anywhere after its header is read as far as it goes.

#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "core/result.h"
#include "trace/file_bytes.h"
#include "wire/record.h"

namespace parcast::trace {

struct RawChunk {
    std::uint64_t offset = 0;  // of its first word in the file
    std::size_t bytes = 0;     // whole words only
    bool is_cut_off = false;   // the file ends in it
};

struct RawLayout {
    wire::Header header{};
    std::vector<std::vector<RawChunk>> streams;  // the chunks of each stream in order
    std::string modules;
    std::string command;
    std::string working_directory;
    std::string exec_target;
    std::string settings;
    std::string final_clocks;  // wire::FinalClock records
};

// Errors: truncated (no whole header), unsupported (no raw recording, other version), malformed.
// Cost: a pass over the chunk headers.
Result<RawLayout> read_layout(FileBytes& file);

inline std::uint64_t word_at(std::span<std::byte const> words, std::size_t index) {
    std::uint64_t word = 0;
    std::memcpy(&word, words.data() + index * sizeof word, sizeof word);
    return word;
}

}  // namespace parcast::trace
