// What work that takes a while tells whoever started it. Library rooms print nothing: they hand these values
// to a function of the caller.

#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace parcast {

struct Notice {
    enum class Kind : std::uint8_t {
        progress,  // what is being done now; of no interest afterwards
        warning,
    };
    Kind kind = Kind::progress;
    std::string message;      // without a final stop
    std::string advice = {};  // of a warning: what to do now, a sentence of its own; may be empty
};

// Called from the thread that does the work.
using Listener = std::function<void(Notice const&)>;

}  // namespace parcast
