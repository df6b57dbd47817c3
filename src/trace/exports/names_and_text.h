// Names and numbers as foreign formats carry them.

#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "core/catalogue.h"

namespace parcast::trace {

// Names out of a recording as foreign formats carry them. A program can name its threads, files and functions
// as it likes; what is returned here is well-formed UTF-8 without control characters, and short, so that no
// format breaks and a megabyte of name is not written a million times.

inline constexpr std::size_t longest_name = 200;  // bytes, the ellipsis included

// Invalid bytes and control characters become U+FFFD; what is too long ends in an ellipsis.
std::string plain_name(std::string_view text);

struct ExportNames {
    std::vector<std::string> threads;
    std::vector<std::string> objects;
    std::vector<std::string> sites;
};
ExportNames export_names(Catalogue const& catalogue);

// Names as parts of the text formats: a JSON string, a field of a CSV file.

// With its quotes (RFC 8259). "</" is written "<\/", so that the file can stand in a page. REQUIRES: UTF-8.
std::string json_string(std::string_view text);

// In quotes where it needs them (RFC 4180, section 2).
std::string csv_field(std::string_view text);

}  // namespace parcast::trace
