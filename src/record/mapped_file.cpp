#include "record/mapped_file.h"

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace parcast::record {

namespace {

class Descriptor {
public:
    explicit Descriptor(int number) : number_(number) {}
    Descriptor(Descriptor const&) = delete;
    Descriptor& operator=(Descriptor const&) = delete;
    ~Descriptor() {
        if (number_ >= 0)
            close(number_);
    }
    int number() const { return number_; }

private:
    int number_;
};

tl::unexpected<Error> cannot_map(std::string const& path) {
    ErrorCode const code =
        errno == ENOENT || errno == ENOTDIR ? ErrorCode::not_found : ErrorCode::not_permitted;
    return fail(code, "cannot read " + path + ": " + std::strerror(errno));
}

}  // namespace

Result<MappedFile> MappedFile::open(std::string const& path) {
    Descriptor const file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    struct stat status{};
    if (file.number() < 0 || fstat(file.number(), &status) != 0)
        return cannot_map(path);
    if (S_ISDIR(status.st_mode))
        return fail(ErrorCode::unsupported, path + " is a folder; name a file in it");
    auto const size = static_cast<std::size_t>(status.st_size);
    if (size == 0)
        return MappedFile({});
    void* const begin =
        mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_NORESERVE, file.number(), 0);
    if (begin == MAP_FAILED)
        return cannot_map(path);
    return MappedFile({static_cast<std::byte*>(begin), size});
}

MappedFile::~MappedFile() {
    if (!bytes_.empty())
        munmap(bytes_.data(), bytes_.size());
}

}  // namespace parcast::record
