#include "trace/symbols/perf_map.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <iterator>
#include <string>

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

// Anybody can write into /tmp.
bool is_trusted(std::filesystem::path const& file) {
    struct stat status{};
    return lstat(file.c_str(), &status) == 0 && S_ISREG(status.st_mode) &&
           (status.st_uid == geteuid() || status.st_uid == 0) &&
           static_cast<std::uintmax_t>(status.st_size) <= PerfMap::most_bytes;
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
            ranges_.push_back({*begin, *begin + *size, frame_named(line)});
    }
    // Of ranges with one beginning the last one stays, which was written last.
    std::stable_sort(ranges_.begin(), ranges_.end(),
                     [](Range const& a, Range const& b) { return a.begin < b.begin; });
}

PerfMap PerfMap::of_process(std::int64_t process, std::filesystem::path const& folder) {
    auto const file = folder / ("perf-" + std::to_string(process) + ".map");
    if (process <= 0 || !is_trusted(file))
        return {};
    std::ifstream stream(file, std::ios::binary);
    std::string const text{std::istreambuf_iterator<char>(stream), {}};
    return PerfMap(text);
}

std::optional<Frame> PerfMap::frame_at(std::uint64_t address) const {
    auto const after =
        std::upper_bound(ranges_.begin(), ranges_.end(), address,
                         [](std::uint64_t wanted, Range const& range) { return wanted < range.begin; });
    if (after == ranges_.begin() || address >= std::prev(after)->end)
        return std::nullopt;
    return std::prev(after)->frame;
}

}  // namespace parcast::trace
