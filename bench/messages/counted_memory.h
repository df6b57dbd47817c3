// How much memory is allocated: operator new of this program counts.

#pragma once

#include <cstddef>

namespace parcast::bench {

std::size_t allocated_bytes();
// The most since the last call.
std::size_t take_most_allocated_bytes();

}  // namespace parcast::bench
