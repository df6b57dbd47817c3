// How large a program may be, so that no clock or account of a replay overflows (simulate/virtual_clock.h).

#pragma once

#include <cstddef>
#include <cstdint>

namespace parcast {

inline constexpr std::size_t most_threads = std::size_t{1} << 24;
// CPU time of all threads, and time that they wait for devices and sleep: 13 days, and 36 years.
inline constexpr std::int64_t most_work_ns = std::int64_t{1} << 50;
inline constexpr std::int64_t most_waiting_ns = std::int64_t{1} << 60;

}  // namespace parcast
