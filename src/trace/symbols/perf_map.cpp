#include "trace/symbols/perf_map.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <string>
#include <utility>

namespace parcast::trace {

namespace {

// The hexadecimal number before the next space, which it takes off the line.
std::optional<std::uint64_t> take_number(std::string_view& line) {
    std::size_t const space = line.find(' ');
    std::string_view word = line.substr(0, space);
    line.remove_prefix(space == line.npos ? line.size() : space + 1);
    if (word.starts_with("0x"))
        word.remove_prefix(2);
    std::uint64_t number = 0;
    auto const [end, error] = std::from_chars(word.data(), word.data() + word.size(), number, 16);
    if (error != std::errc() || end != word.data() + word.size() || word.empty())
        return std::nullopt;
    return number;
}

Frame frame_named(std::string_view name) {
    constexpr std::string_view of_python = "py::";
    std::size_t const colon = name.rfind(':');
    if (!name.starts_with(of_python) || colon < of_python.size())
        return {std::string(name), "", 0};
    return {std::string(name.substr(of_python.size(), colon - of_python.size())),
            std::string(name.substr(colon + 1)), 0};
}

// Anybody can write into /tmp: of what was opened, owner and size are asked, and no more is read. Empty: it
// is not to be trusted.
std::string trusted_text(std::filesystem::path const& file) {
    int const descriptor = open(file.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (descriptor < 0)
        return {};
    std::string text;
    struct stat status{};
    if (fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) &&
        (status.st_uid == geteuid() || status.st_uid == 0) &&
        static_cast<std::uintmax_t>(status.st_size) <= PerfMap::most_bytes) {
        text.resize(static_cast<std::size_t>(status.st_size));
        std::size_t filled = 0;
        while (filled < text.size()) {
            auto const got = read(descriptor, text.data() + filled, text.size() - filled);
            if (got <= 0)
                break;
            filled += static_cast<std::size_t>(got);
        }
        text.resize(filled);
    }
    close(descriptor);
    return text;
}

}  // namespace

PerfMap::PerfMap(std::string_view text) {
    while (!text.empty()) {
        std::size_t const end = text.find('\n');
        std::string_view line = text.substr(0, end);
        text.remove_prefix(end == text.npos ? text.size() : end + 1);
        auto const begin = take_number(line);
        auto const size = begin ? take_number(line) : std::nullopt;
        if (size && *size > 0 && *size <= UINT64_MAX - *begin && !line.empty())
            place(*begin, *begin + *size, frame_named(line));
    }
}

// What was there before ends where this begins, and goes on behind it.
void PerfMap::place(std::uint64_t begin, std::uint64_t end, Frame frame) {
    auto next = ranges_.lower_bound(begin);
    if (next != ranges_.begin()) {
        auto& before = std::prev(next)->second;
        if (before.end > end)
            ranges_.emplace(end, Range{before.end, before.frame});
        before.end = std::min(before.end, begin);
        next = ranges_.lower_bound(begin);
    }
    while (next != ranges_.end() && next->first < end) {
        if (next->second.end > end)
            ranges_.emplace(end, Range{next->second.end, next->second.frame});
        next = ranges_.erase(next);
    }
    ranges_.emplace(begin, Range{end, std::move(frame)});
}

PerfMap PerfMap::of_process(std::int64_t process, std::filesystem::path const& folder) {
    if (process <= 0)
        return {};
    return PerfMap(trusted_text(folder / ("perf-" + std::to_string(process) + ".map")));
}

std::optional<Frame> PerfMap::frame_at(std::uint64_t address) const {
    auto const after = ranges_.upper_bound(address);
    if (after == ranges_.begin() || address >= std::prev(after)->second.end)
        return std::nullopt;
    return std::prev(after)->second.frame;
}

}  // namespace parcast::trace
