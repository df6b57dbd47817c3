// What a thread runs on, for schedulers that have LWPs (docs/schedulers.md): a word of plans and of written
// programs, which share nothing else.

#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace parcast {

enum class LwpClass : std::uint8_t {
    pool,          // any LWP of the pool
    time_sharing,  // one of its own
    interactive,   // one of its own, of a higher class
};
inline constexpr std::array<std::string_view, 3> lwp_words = {"pool", "own", "interactive"};

constexpr std::string_view name_of(LwpClass lwp) {
    return lwp_words[static_cast<std::size_t>(lwp)];
}

}  // namespace parcast
