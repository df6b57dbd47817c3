// The functions that a just-in-time compiler or an interpreter left for perf in /tmp/perf-PID.map: lines of
// START SIZE NAME, both numbers hexadecimal (tools/perf/Documentation/jit-interface.txt of Linux). CPython's
// trampolines are named py::FUNCTION:FILE there. Addresses that are used again have the name that was written
// last. Lines of another form are skipped. Time: O(n log n) for n lines, O(log n) for each look-up.

#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string_view>

#include "core/catalogue.h"

namespace parcast::trace {

class PerfMap {
public:
    static constexpr std::uintmax_t most_bytes = 256u << 20;  // of a file; a larger one is not read

    PerfMap() = default;
    explicit PerfMap(std::string_view text);
    // Empty if there is none, if it is a link or too large, or if it belongs to another user than this one
    // and root.
    static PerfMap of_process(std::int64_t process, std::filesystem::path const& folder = "/tmp");

    // The function there, without a line. None if no range covers the address.
    std::optional<Frame> frame_at(std::uint64_t address) const;

private:
    struct Range {
        std::uint64_t end = 0;
        Frame frame;
    };
    void place(std::uint64_t begin, std::uint64_t end, Frame frame);

    std::map<std::uint64_t, Range> ranges_;  // by where they begin; none overlaps another
};

}  // namespace parcast::trace
