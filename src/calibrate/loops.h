// The two loops of which the speed is measured: one works in registers, the other one moves memory.

#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace parcast::calibrate {

inline constexpr std::size_t page_words = 4096 / sizeof(std::uint64_t);

// Four chains of xorshift64* (Vigna 2016): enough independent work to fill the units of one core, which two
// hardware threads then have to share. A single chain would leave room for both.
class ComputeLoop {
public:
    void round() {
        for (int step = 0; step < 4000; ++step) {
            for (std::uint64_t& chain : chains_) {
                chain ^= chain >> 12;
                chain ^= chain << 25;
                chain ^= chain >> 27;
                chain *= UINT64_C(0x2545f4914f6cdd1d);
            }
        }
    }
    std::uint64_t result() const { return chains_[0] ^ chains_[1] ^ chains_[2] ^ chains_[3]; }

private:
    std::array<std::uint64_t, 4> chains_{1, 2, 3, 5};
};

// A word of each cache line, so that the memory limits it whatever the compiler makes of it.
class MemoryLoop {
public:
    explicit MemoryLoop(std::span<std::uint64_t> array) : array_(array) {}
    void round() {
        constexpr std::size_t line_words = 8;
        constexpr std::size_t round_words = 128 * page_words;
        std::size_t const end = std::min(next_ + round_words, array_.size());
        for (std::size_t i = next_; i < end; i += line_words)
            array_[i] += i;
        next_ = end < array_.size() ? end : 0;
    }
    std::uint64_t result() const { return array_[next_]; }

private:
    std::span<std::uint64_t> array_;
    std::size_t next_ = 0;
};

}  // namespace parcast::calibrate
