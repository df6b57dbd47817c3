#include "cli/files/files.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <limits>
#include <optional>
#include <system_error>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/progress.h"
#include "core/bytes_text.h"

namespace parcast::cli {

namespace {

enum class Pipes : std::uint8_t { rejected, taken };

tl::unexpected<Error> cannot_read(std::string const& path, int reason) {
    ErrorCode const code =
        reason == ENOENT || reason == ENOTDIR ? ErrorCode::not_found : ErrorCode::not_permitted;
    return fail(code, "cannot read " + path + ": " + std::strerror(reason));
}

// A pipe that the shell made has no name in any folder.
bool is_named(std::string const& path) {
    std::error_code unnamed;
    return !std::filesystem::canonical(path, unnamed).empty();
}

std::optional<Error> reason_to_reject(std::string const& path, struct stat const& status, Pipes pipes) {
    if (S_ISREG(status.st_mode))
        return std::nullopt;
    if (S_ISDIR(status.st_mode))
        return make_error(ErrorCode::unsupported, path + " is a folder; name a file in it");
    bool const is_pipe = S_ISFIFO(status.st_mode);
    if (is_pipe && pipes == Pipes::taken && !is_named(path))
        return std::nullopt;
    char const* const kind = is_pipe ? "a pipe" : S_ISSOCK(status.st_mode) ? "a socket" : "a device";
    return make_error(ErrorCode::unsupported,
                      path + " is " + kind + ", not a file" + (is_pipe ? "; write it to a file first" : ""));
}

// The kind is looked at before the file is opened, since opening a device can have effects; and afterwards,
// since another one may have taken its name. Without O_NONBLOCK a named pipe would block here.
Result<int> open_descriptor(std::string const& path, Pipes pipes) {
    struct stat status{};
    if (stat(path.c_str(), &status) != 0)
        return cannot_read(path, errno);
    if (auto reason = reason_to_reject(path, status, pipes))
        return fail(std::move(*reason));
    int const descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    if (descriptor < 0)
        return cannot_read(path, errno);
    auto reason = fstat(descriptor, &status) == 0 ? reason_to_reject(path, status, pipes) : std::nullopt;
    if (reason) {
        close(descriptor);
        return fail(std::move(*reason));
    }
    if (S_ISFIFO(status.st_mode))
        fcntl(descriptor, F_SETFL, 0);  // its writer may be slow
    return descriptor;
}

// Bytes or text from where the descriptor stands, at most so many and one more.
template <class Content>
Result<Content> read_up_to(int descriptor, std::size_t most, std::string const& path) {
    std::size_t constexpr step = std::size_t{1} << 20;
    std::size_t constexpr spare = 64;  // what simdjson needs behind a text, which is not copied for it then
    struct stat status{};
    bool const has_size = fstat(descriptor, &status) == 0 && status.st_size > 0;
    Content content;
    // Read until the end rather than trusting st_size: pipes and growing files have no size.
    while (content.size() <= most) {
        std::size_t const used = content.size();
        std::size_t const free = content.capacity() - used;  // the end of a file is found without a copy
        std::size_t const room = has_size && used == 0
                                     ? std::min(static_cast<std::size_t>(status.st_size), most) + spare
                                 : free >= spare ? free
                                                 : step;
        content.resize(used + room);
        ssize_t const got = read(descriptor, content.data() + used, room);
        int const reason = errno;
        content.resize(used + static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
        if (got == 0)
            return content;
        if (got < 0 && reason != EINTR)
            return cannot_read(path, reason);
    }
    return content;
}

}  // namespace

Result<InputFile> InputFile::open(std::string const& path) {
    auto const descriptor = open_descriptor(path, Pipes::rejected);
    if (!descriptor)
        return pass_on(descriptor);
    return InputFile(path, *descriptor);
}

InputFile::~InputFile() {
    if (descriptor_ >= 0)
        close(descriptor_);
}

std::vector<std::byte> InputFile::head(std::size_t most) const {
    std::vector<std::byte> bytes(most);
    ssize_t const got = pread(descriptor_, bytes.data(), most, 0);
    bytes.resize(static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    return bytes;
}

std::uint64_t InputFile::size() const {
    struct stat status{};
    return fstat(descriptor_, &status) == 0 ? static_cast<std::uint64_t>(status.st_size) : 0;
}

bool InputFile::read_at(std::uint64_t offset, std::span<std::byte> to) const {
    while (!to.empty()) {
        ssize_t const got = pread(descriptor_, to.data(), to.size(), static_cast<off_t>(offset));
        if (got == 0 || (got < 0 && errno != EINTR))
            return false;
        auto const done = static_cast<std::size_t>(std::max<ssize_t>(got, 0));
        offset += done;
        to = to.subspan(done);
    }
    return true;
}

Result<std::string> InputFile::text() const {
    return read_up_to<std::string>(descriptor_, std::numeric_limits<std::size_t>::max(), path_);
}

Result<std::string> read_text(std::string const& path) {
    Stage const stage(reading_text(path));
    auto const descriptor = open_descriptor(path, Pipes::taken);
    if (!descriptor)
        return pass_on(descriptor);
    auto text = read_up_to<std::string>(*descriptor, most_text_bytes, path);
    close(*descriptor);
    if (text && text->size() > most_text_bytes)
        return fail(ErrorCode::exhausted, path + " has more than " + bytes_text(most_text_bytes) +
                                              ": a file of this kind is short");
    return text;
}

}  // namespace parcast::cli
