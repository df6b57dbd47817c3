#include "cli/files/files.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include <sys/stat.h>

namespace parcast::cli {

namespace {

struct Closer {
    void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, Closer>;

tl::unexpected<Error> cannot_read(std::string const& path, int reason) {
    ErrorCode const code =
        reason == ENOENT || reason == ENOTDIR ? ErrorCode::not_found : ErrorCode::not_permitted;
    return fail(code, "cannot read " + path + ": " + std::strerror(reason));
}

// Bytes or text.
template <class Content>
Result<Content> read_whole(std::string const& path) {
    File const file(std::fopen(path.c_str(), "rb"));
    if (!file)
        return cannot_read(path, errno);
    struct stat status{};
    if (fstat(fileno(file.get()), &status) == 0 && S_ISDIR(status.st_mode))
        return fail(ErrorCode::unsupported, path + " is a folder; name a file in it");
    Content bytes;
    std::size_t constexpr step = std::size_t{1} << 20;
    std::size_t constexpr spare = 64;  // what simdjson needs behind a text, which is not copied for it then
    // Read until the end rather than trusting st_size: pipes and growing files have no size.
    for (;;) {
        std::size_t const used = bytes.size();
        std::size_t const room =
            status.st_size > 0 && used == 0 ? static_cast<std::size_t>(status.st_size) + spare : step;
        bytes.resize(used + room);
        std::size_t const got = std::fread(bytes.data() + used, 1, room, file.get());
        bytes.resize(used + got);
        if (got < room)
            break;
    }
    if (std::ferror(file.get()) != 0)
        return cannot_read(path, errno);
    return bytes;
}

}  // namespace

Result<std::vector<std::byte>> read_file(std::string const& path) {
    return read_whole<std::vector<std::byte>>(path);
}

Result<std::string> read_text(std::string const& path) {
    return read_whole<std::string>(path);
}

}  // namespace parcast::cli
