// Input files. Library rooms take bytes; only the commands open files.

#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/result.h"

namespace parcast::cli {

// The whole file; "-" is not special. Errors: not_found, not_permitted, unsupported (a folder),
// exhausted; each message names the path and says why.
Result<std::vector<std::byte>> read_file(std::string const& path);

// A file without a copy of it: its pages come from the system's cache as they are read. What is written into
// them stays in this process. REQUIRES: nobody shortens the file meanwhile, which ends in SIGBUS.
class MappedFile {
public:
    // Errors: as read_file.
    static Result<MappedFile> open(std::string const& path);

    MappedFile(MappedFile&& other) noexcept : bytes_(std::exchange(other.bytes_, {})) {}
    MappedFile& operator=(MappedFile&&) = delete;
    ~MappedFile();

    std::span<std::byte> bytes() const { return bytes_; }

private:
    explicit MappedFile(std::span<std::byte> bytes) : bytes_(bytes) {}

    std::span<std::byte> bytes_;
};

Result<std::string> read_text(std::string const& path);

}  // namespace parcast::cli
