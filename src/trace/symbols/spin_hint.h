// Which code is a loop that waits for another thread: one with PAUSE in it. Compilers write that instruction
// for nothing else, and people write it where they wait (Intel SDM, volume 2: "spin loop hint"; `_mm_pause`,
// `rep; nop`).

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "timeline/provenance.h"

namespace parcast::trace {

// For each address of a process whether PAUSE is near enough to be of the same short loop. What cannot be
// read is none. The C library's own loops count for nothing: they are inside of calls that are recorded.
std::vector<bool> are_beside_pause(std::vector<Module> const& modules,
                                   std::span<std::uint64_t const> addresses);

}  // namespace parcast::trace
