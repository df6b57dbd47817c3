#include "import/json_text.h"

#include <simdjson.h>

namespace parcast {

std::string json_text(std::string_view text) {
    constexpr std::string_view hexadecimal = "0123456789abcdef";
    std::string result;
    bool const is_utf8 = simdjson::validate_utf8(text);
    result += '"';
    for (char const letter : text) {
        auto const code = static_cast<unsigned char>(letter);
        if (letter == '"' || letter == '\\') {
            result += '\\';
            result += letter;
        } else if (code < 0x20) {
            result += "\\u00";
            result += hexadecimal[code >> 4];
            result += hexadecimal[code & 15];
        } else {
            result += is_utf8 || code < 0x80 ? letter : '?';
        }
    }
    result += '"';
    return result;
}

}  // namespace parcast
