// Input files. Library rooms take bytes; only the commands open files, and they do it here.
//
// An input is an ordinary file: a device has no end, and a named pipe blocks until somebody writes to it. Its
// first bytes are looked at before it is read. A text that is read once may also come through a pipe that the
// shell made: <(command), or /dev/stdin.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/result.h"

namespace parcast::cli {

// Nobody writes a longer machine file by hand.
inline constexpr std::size_t most_text_bytes = 256'000'000;

class InputFile {
public:
    // "-" is not special. Errors: not_found, not_permitted, unsupported (not an ordinary file); each message
    // names the path and says why.
    static Result<InputFile> open(std::string const& path);

    InputFile(InputFile&& other) noexcept
        : path_(std::move(other.path_)), descriptor_(std::exchange(other.descriptor_, -1)) {}
    InputFile& operator=(InputFile&&) = delete;
    ~InputFile();

    // Its first bytes, at most so many; fewer if it is shorter, or cannot be read.
    std::vector<std::byte> head(std::size_t most) const;
    std::uint64_t size() const;
    // Fills `to` with what begins at `offset`. False if there is less, or it cannot be read.
    bool read_at(std::uint64_t offset, std::span<std::byte> to) const;
    // All of it. Errors: not_permitted.
    Result<std::string> text() const;

private:
    InputFile(std::string path, int descriptor) : path_(std::move(path)), descriptor_(descriptor) {}

    std::string path_;
    int descriptor_;  // -1 after a move
};

// A text that is read once. Errors: those of InputFile, and exhausted (more than most_text_bytes).
Result<std::string> read_text(std::string const& path);

}  // namespace parcast::cli
