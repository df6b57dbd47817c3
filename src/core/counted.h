// Counts as people read them: digits in groups of three, and a noun that agrees.

#pragma once

#include <cstdint>
#include <string>

namespace parcast {

// "61,204"
std::string count_text(std::int64_t count);

// "1 thread was", "61,204 threads were".
std::string counted(std::int64_t count, std::string const& one, std::string const& many);

// "1 thread", "61,204 threads". The plural adds an s.
std::string counted(std::int64_t count, std::string const& noun);

}  // namespace parcast
