// How long processors idled, as /proc/stat tells: what they did not idle and a program did not use, others
// did, among them the host of a virtual machine (steal).
//
// The kernel counts idle time exactly but prints it in whole ticks of a hundredth of a second.

#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

#include "core/time.h"

namespace parcast::measure {

inline constexpr Duration tick{10'000'000};

// Since the machine started, summed over `cpus`; waiting for a disk is idling. None if one of them is not in
// the text, which is that of /proc/stat.
std::optional<Duration> parse_idle_time(std::string_view text, std::span<unsigned const> cpus);

// None where /proc/stat cannot be read.
std::optional<Duration> read_idle_time(std::span<unsigned const> cpus);

// Share of `cpus` processors' time in `wall` that neither idled nor was `own`, at least 0. A difference as
// small as the resolution of idle time (a tick a processor) says nothing: it counts as 0.
// REQUIRES: cpus > 0, wall > 0.
double share_of_others(Duration idle, Duration own, Duration wall, std::size_t cpus);

}  // namespace parcast::measure
