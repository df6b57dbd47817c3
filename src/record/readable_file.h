// A file that is open for reading, and stays as large as it was then.

#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "core/result.h"
#include "trace/file_bytes.h"

namespace parcast::record {

class ReadableFile {
public:
    // Errors: not_found, not_permitted, unsupported (a folder).
    static Result<ReadableFile> open(std::string const& path);

    ReadableFile(ReadableFile&& other) noexcept
        : descriptor_(std::exchange(other.descriptor_, -1)), size_(other.size_) {}
    ReadableFile& operator=(ReadableFile&&) = delete;
    ~ReadableFile();

    // Read from this file, as long as it is there.
    trace::FileBytes bytes() const;

private:
    ReadableFile(int descriptor, std::uint64_t size) : descriptor_(descriptor), size_(size) {}

    int descriptor_;  // -1 after a move
    std::uint64_t size_;
};

}  // namespace parcast::record
