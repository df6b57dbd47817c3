#include "record/temporary_file.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace parcast::record {

std::string folder_of(std::string const& file) {
    std::string const folder = std::filesystem::path(file).parent_path().string();
    return folder.empty() ? "." : folder;
}

TemporaryFile::TemporaryFile(std::string const& name)
    : path_(folder_of(name) + "/.parcast-XXXXXX"), descriptor_(mkostemp(path_.data(), O_CLOEXEC)) {}

TemporaryFile::~TemporaryFile() {
    if (descriptor_ >= 0) {
        close(descriptor_);
        unlink(path_.c_str());
    }
}

bool TemporaryFile::append(std::span<std::byte const> content) {
    while (!content.empty()) {
        ssize_t const written = write(descriptor_, content.data(), content.size());
        if (written < 0 && errno != EINTR)
            return false;
        content = content.subspan(written < 0 ? 0 : static_cast<std::size_t>(written));
    }
    return true;
}

bool TemporaryFile::settle() {
    mode_t const mask = umask(0);
    umask(mask);
    // fsync: some file systems report a full disk no earlier.
    return fchmod(descriptor_, 0666 & ~mask) == 0 && fsync(descriptor_) == 0;
}

// Some file systems know no such rename, but links, which never replace.
bool TemporaryFile::move_to(std::string const& name) {
    if (renameat2(AT_FDCWD, path_.c_str(), AT_FDCWD, name.c_str(), RENAME_NOREPLACE) == 0)
        return true;
    return (errno == EINVAL || errno == ENOSYS) && link(path_.c_str(), name.c_str()) == 0;
}

bool TemporaryFile::replace(std::string const& name) {
    return rename(path_.c_str(), name.c_str()) == 0;
}

}  // namespace parcast::record
