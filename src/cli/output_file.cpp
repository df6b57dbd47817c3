#include "cli/output_file.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace parcast::cli {

namespace {

tl::unexpected<Error> cannot_write(std::string const& path, int reason) {
    bool const is_full = reason == ENOSPC || reason == EDQUOT;
    ErrorCode const code = is_full            ? ErrorCode::exhausted
                           : reason == ENOENT ? ErrorCode::not_found
                                              : ErrorCode::not_permitted;
    std::string const name = path == "-" ? "standard output" : path;
    return fail(code, name + " cannot be written: " + std::strerror(reason) + ".");
}

}  // namespace

Result<OutputFile> OutputFile::open(std::string const& path) {
    if (path == "-")
        return OutputFile(File(stdout), path, "");
    struct stat status{};
    if (stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode)) {
        File direct(S_ISDIR(status.st_mode) ? nullptr : std::fopen(path.c_str(), "wb"));
        if (!direct)
            return cannot_write(path, S_ISDIR(status.st_mode) ? EISDIR : errno);
        return OutputFile(std::move(direct), path, "");
    }
    auto const folder = std::filesystem::path(path).parent_path();
    std::string temporary = (folder.empty() ? "." : folder.string()) + "/.parcast-XXXXXX";
    int const descriptor = mkostemp(temporary.data(), O_CLOEXEC);
    if (descriptor < 0)
        return cannot_write(path, errno);
    mode_t const mask = umask(0);
    umask(mask);
    fchmod(descriptor, 0666 & ~mask);
    return OutputFile(File(fdopen(descriptor, "wb")), path, temporary);
}

OutputFile::~OutputFile() {
    if (file_ && !temporary_.empty())
        unlink(temporary_.c_str());
}

Result<void> OutputFile::write(std::string_view bytes) {
    if (std::fwrite(bytes.data(), 1, bytes.size(), file_.get()) != bytes.size())
        return cannot_write(path_, errno);
    return {};
}

Result<void> OutputFile::finish() {
    if (std::fflush(file_.get()) != 0)
        return cannot_write(path_, errno);
    if (temporary_.empty())
        return {};
    if (std::rename(temporary_.c_str(), path_.c_str()) != 0)
        return cannot_write(path_, errno);
    temporary_.clear();
    return {};
}

}  // namespace parcast::cli
