// The records of a ring that the kernel writes (perf_event_open(2), "MMAP layout"). They may wrap around the
// end of the ring. Some are not about the program: they say how many others the kernel had no room for.

#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace parcast::record {

class PerfRecords {
public:
    // Hands over those between the counts of bytes read and written so far, oldest first, each whole. What
    // comes behind a record that cannot be one is skipped. REQUIRES: written - read <= ring.size().
    void hand_over(std::span<std::byte const> ring, std::uint64_t read, std::uint64_t written,
                   std::function<void(std::span<std::byte const>)> const& take);

    // As far as records say so: that of a loss comes only with the next record that has room.
    std::int64_t lost() const { return lost_; }

private:
    std::vector<std::byte> record_;
    std::int64_t lost_ = 0;
};

}  // namespace parcast::record
