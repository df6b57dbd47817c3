// How much memory programs may still take on this machine, by the kernel's estimate, which counts caches that
// it can give up.

#pragma once

#include <cstdint>
#include <optional>

namespace parcast::measure {

// Bytes; none: the system does not tell.
std::optional<std::uint64_t> available_memory();

}  // namespace parcast::measure
