// A text as JSON writes it. Private to the writers.

#pragma once

#include <string>
#include <string_view>

namespace parcast {

// In quotes, with what JSON does not take escaped. Bytes that are not UTF-8 become question marks.
std::string json_text(std::string_view text);

}  // namespace parcast
