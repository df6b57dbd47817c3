#include "core/error.h"

#include <utility>

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

Error make_error(ErrorCode code, std::string message, std::string advice) {
    return {code, std::move(message), std::nullopt, std::move(advice)};
}

Error with_advice(Error error, std::string advice) {
    error.advice = std::move(advice);
    return error;
}

Error with_code(ErrorCode code, Error error, std::string advice) {
    error.code = code;
    return with_advice(std::move(error), std::move(advice));
}

}  // namespace parcast
