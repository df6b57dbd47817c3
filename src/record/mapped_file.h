// A file without a copy of it: its pages come from the system's cache as they are read. What is written into
// them stays in this process.

#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <utility>

#include "core/result.h"

namespace parcast::record {

// REQUIRES: nobody shortens the file meanwhile, which ends in SIGBUS.
class MappedFile {
public:
    // Errors: not_found, not_permitted, unsupported (a folder).
    static Result<MappedFile> open(std::string const& path);

    MappedFile(MappedFile&& other) noexcept : bytes_(std::exchange(other.bytes_, {})) {}
    MappedFile& operator=(MappedFile&&) = delete;
    ~MappedFile();

    std::span<std::byte> bytes() const { return bytes_; }

private:
    explicit MappedFile(std::span<std::byte> bytes) : bytes_(bytes) {}

    std::span<std::byte> bytes_;
};

}  // namespace parcast::record
