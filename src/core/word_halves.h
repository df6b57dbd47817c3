// A 64-bit number as two of 32 bits, in lists that are packed.

#pragma once

#include <cstdint>

namespace parcast {

constexpr std::uint32_t low_half(std::int64_t number) {
    return static_cast<std::uint32_t>(static_cast<std::uint64_t>(number));
}
constexpr std::uint32_t high_half(std::int64_t number) {
    return static_cast<std::uint32_t>(static_cast<std::uint64_t>(number) >> 32);
}
constexpr std::int64_t from_halves(std::uint32_t low, std::uint32_t high) {
    return static_cast<std::int64_t>(std::uint64_t{high} << 32 | low);
}

}  // namespace parcast
