// A new file beside the one that it is to become, so that a result is there whole or not at all.

#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace parcast::record {

// "." for a name without a folder.
std::string folder_of(std::string const& file);

// Without a name until it is moved to its own, where the file system has such files (O_TMPFILE): then nothing
// of it stays behind, whatever ends this process. Gone at the end unless it was moved. What can fail returns
// false with errno set.
class TemporaryFile {
public:
    // In the folder of `name`, which is where it is meant to go.
    explicit TemporaryFile(std::string const& name);
    TemporaryFile(TemporaryFile const&) = delete;
    TemporaryFile& operator=(TemporaryFile const&) = delete;
    ~TemporaryFile();

    bool is_open() const { return descriptor_ >= 0; }
    bool append(std::span<std::byte const> content);
    bool settle();  // after the last piece: on the disk, with the usual permissions
    bool write_all(std::span<std::byte const> content) { return append(content) && settle(); }
    bool move_to(std::string const& name);  // without replacing a file
    bool replace(std::string const& name);  // and a file of this name

private:
    std::string path_;
    int descriptor_;
};

}  // namespace parcast::record
