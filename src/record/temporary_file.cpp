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

namespace {

// The name by which the kernel knows an open file.
std::string name_of_open(int descriptor) {
    return "/proc/self/fd/" + std::to_string(descriptor);
}

int open_without_name(std::string const& folder) {
    int const descriptor = open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (descriptor < 0 || access(name_of_open(descriptor).c_str(), F_OK) == 0)
        return descriptor;
    close(descriptor);  // it could never be given a name
    return -1;
}

// Never replaces.
bool give_name(int descriptor, std::string const& name) {
    return linkat(AT_FDCWD, name_of_open(descriptor).c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0;
}

}  // namespace

TemporaryFile::TemporaryFile(std::string const& name) : descriptor_(open_without_name(folder_of(name))) {
    if (descriptor_ >= 0)
        return;
    path_ = folder_of(name) + "/.parcast-XXXXXX";
    descriptor_ = mkostemp(path_.data(), O_CLOEXEC);
}

TemporaryFile::~TemporaryFile() {
    if (descriptor_ < 0)
        return;
    close(descriptor_);
    if (!path_.empty())
        unlink(path_.c_str());
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
    if (path_.empty())
        return give_name(descriptor_, name);
    if (renameat2(AT_FDCWD, path_.c_str(), AT_FDCWD, name.c_str(), RENAME_NOREPLACE) == 0)
        return true;
    return (errno == EINVAL || errno == ENOSYS) && link(path_.c_str(), name.c_str()) == 0;
}

// A link does not replace: the file has another name for a moment.
bool TemporaryFile::replace(std::string const& name) {
    if (!path_.empty())
        return rename(path_.c_str(), name.c_str()) == 0;
    std::string between = folder_of(name) + "/.parcast-XXXXXX";
    int const taken = mkostemp(between.data(), O_CLOEXEC);
    if (taken < 0)
        return false;
    close(taken);
    if (unlink(between.c_str()) != 0 || !give_name(descriptor_, between))
        return false;
    if (rename(between.c_str(), name.c_str()) == 0)
        return true;
    int const reason = errno;
    unlink(between.c_str());
    errno = reason;
    return false;
}

}  // namespace parcast::record
