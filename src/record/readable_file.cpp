#include "record/readable_file.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace parcast::record {

namespace {

bool read_whole_piece(int descriptor, std::uint64_t offset, std::span<std::byte> to) {
    while (!to.empty()) {
        ssize_t const got = pread(descriptor, to.data(), to.size(), static_cast<off_t>(offset));
        if (got == 0 || (got < 0 && errno != EINTR))
            return false;
        auto const done = static_cast<std::size_t>(std::max<ssize_t>(got, 0));
        offset += done;
        to = to.subspan(done);
    }
    return true;
}

}  // namespace

Result<ReadableFile> ReadableFile::open(std::string const& path) {
    ReadableFile file(::open(path.c_str(), O_RDONLY | O_CLOEXEC), 0);
    struct stat status{};
    if (file.descriptor_ < 0 || fstat(file.descriptor_, &status) != 0) {
        ErrorCode const code =
            errno == ENOENT || errno == ENOTDIR ? ErrorCode::not_found : ErrorCode::not_permitted;
        return fail(code, "cannot read " + path + ": " + std::strerror(errno));
    }
    if (S_ISDIR(status.st_mode))
        return fail(ErrorCode::unsupported, path + " is a folder; name a file in it");
    file.size_ = static_cast<std::uint64_t>(status.st_size);
    return file;
}

ReadableFile::~ReadableFile() {
    if (descriptor_ >= 0)
        close(descriptor_);
}

trace::FileBytes ReadableFile::bytes() const {
    return {size_, [descriptor = descriptor_](std::uint64_t offset, std::span<std::byte> to) {
                return read_whole_piece(descriptor, offset, to);
            }};
}

}  // namespace parcast::record
