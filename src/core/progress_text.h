// Texts of progress whose parts are counted: "replaying 8 CPUs: 3 of 12". Who does the work writes them, who
// shows them reads the count back.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace parcast {

struct CountedPart {
    std::uint64_t number = 0;  // of the part that has begun, from 1
    std::uint64_t count = 0;
};

// "WHAT: 3 of 12"
std::string progress_text(std::string_view what, CountedPart part);

// Of a text that ends in "3 of 12".
std::optional<CountedPart> counted_part(std::string_view text);

// "20 s", "3 min", "2 h"
std::string rough_time_text(double ns);

}  // namespace parcast
