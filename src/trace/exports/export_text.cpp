#include "trace/exports/names_and_text.h"

namespace parcast::trace {

namespace {

void add_json(std::string& json, char letter, char before) {
    constexpr std::string_view digits = "0123456789abcdef";
    auto const byte = static_cast<unsigned char>(letter);
    if (letter == '"' || letter == '\\' || (letter == '/' && before == '<'))
        json += '\\';
    if (byte < 0x20)
        json += {'\\', 'u', '0', '0', digits[byte >> 4], digits[byte & 15]};
    else
        json += letter;
}

}  // namespace

std::string json_string(std::string_view text) {
    std::string json = "\"";
    char before = 0;
    for (char const letter : text) {
        add_json(json, letter, before);
        before = letter;
    }
    return json += '"';
}

std::string csv_field(std::string_view text) {
    if (text.find_first_of(",\"\r\n") == std::string_view::npos)
        return std::string(text);
    std::string field = "\"";
    for (char const letter : text)
        field += letter == '"' ? std::string("\"\"") : std::string(1, letter);
    return field += '"';
}

}  // namespace parcast::trace
