// Timers that are read (timerfd_create): a read of one waits until time has passed, and for no device.

#pragma once

#include <stdint.h>

#include <array>
#include <atomic>

namespace parcast::recorder {

// A bit for each descriptor: it is a timer whose reads wait. Those beyond are files as any other.
inline constexpr int most_timer_descriptors = 1'024;
extern constinit std::array<std::atomic<uint64_t>, most_timer_descriptors / 64> timer_descriptors;

[[gnu::always_inline]] inline bool is_timer(int descriptor) {
    if (descriptor < 0 || descriptor >= most_timer_descriptors)
        return false;
    auto const word =
        timer_descriptors[static_cast<unsigned>(descriptor) / 64].load(std::memory_order_relaxed);
    return (word >> (static_cast<unsigned>(descriptor) % 64) & 1) != 0;
}

inline void note_timer(int descriptor, bool is_one) {
    if (descriptor < 0 || descriptor >= most_timer_descriptors)
        return;
    auto& word = timer_descriptors[static_cast<unsigned>(descriptor) / 64];
    uint64_t const bit = uint64_t{1} << (static_cast<unsigned>(descriptor) % 64);
    if (is_one)
        word.fetch_or(bit, std::memory_order_relaxed);
    else
        word.fetch_and(~bit, std::memory_order_relaxed);
}

}  // namespace parcast::recorder
