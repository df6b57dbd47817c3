#include "core/error.h"

namespace parcast {

std::string describe(Error const& error) {
    if (!error.place)
        return error.message;
    auto const& place = *error.place;
    std::string text = place.file;
    if (place.line) {
        text += (text.empty() ? "line " : ":") + std::to_string(*place.line);
        if (place.column)
            text += ":" + std::to_string(*place.column);
    } else if (place.byte_offset) {
        text += (text.empty() ? "byte " : ", byte ") + std::to_string(*place.byte_offset);
    }
    return text.empty() ? error.message : text + ": " + error.message;
}

}  // namespace parcast
