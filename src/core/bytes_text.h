// An amount of memory as people read it.

#pragma once

#include <cstdint>
#include <string>

namespace parcast {

// "412 bytes", "4.12 kB", "1.50 GB": decimal units, as disks and networks are sold.
std::string bytes_text(std::uint64_t bytes);

}  // namespace parcast
