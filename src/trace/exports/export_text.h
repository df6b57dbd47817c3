// Names as parts of the text formats: a JSON string, a field of a CSV file.

#pragma once

#include <string>
#include <string_view>

namespace parcast::trace {

// With its quotes (RFC 8259). "</" is written "<\/", so that the file can stand in a page. REQUIRES: UTF-8.
std::string json_string(std::string_view text);

// In quotes where it needs them (RFC 4180, section 2).
std::string csv_field(std::string_view text);

}  // namespace parcast::trace
