// Our own bugs stop the program at once, with place and condition. Never for input: that is a Result.

#pragma once

#include <cstdio>
#include <cstdlib>
#include <source_location>

namespace parcast {

inline void ensure(bool condition, char const* what,
                   std::source_location place = std::source_location::current()) {
    if (!condition) [[unlikely]] {
        std::fprintf(stderr, "parcast: bug: %s (%s:%u in %s). Please report it.\n", what, place.file_name(),
                     static_cast<unsigned>(place.line()), place.function_name());
        std::abort();
    }
}

// For inner loops: checked in debug builds only.
inline void debug_ensure([[maybe_unused]] bool condition, [[maybe_unused]] char const* what,
                         [[maybe_unused]] std::source_location place = std::source_location::current()) {
#ifndef NDEBUG
    ensure(condition, what, place);
#endif
}

}  // namespace parcast
