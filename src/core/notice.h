// A message to the user. Library rooms print nothing: they return these values, or hand them to a function of
// the caller while they work.

#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace parcast {

struct Notice {
    enum class Kind : std::uint8_t {
        progress,  // what is being done now; of no interest afterwards
        note,
        command,  // "next: parcast predict ...": to be typed again, so it stays on one line
        warning,
        error,
    };
    Kind kind = Kind::progress;
    std::string message;      // without a final stop
    std::string advice = {};  // of a warning or an error: what to do now, a sentence of its own; may be empty
};

// Called from the thread that does the work.
using Listener = std::function<void(Notice const&)>;

}  // namespace parcast
