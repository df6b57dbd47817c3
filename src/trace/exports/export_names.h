// Names out of a recording as foreign formats carry them. A program can name its threads, files and functions
// as it likes; what is returned here is well-formed UTF-8 without control characters, and short, so that no
// format breaks and a megabyte of name is not written a million times.

#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "core/catalogue.h"

namespace parcast::trace {

inline constexpr std::size_t longest_name = 200;  // bytes, the ellipsis included

// Invalid bytes and control characters become U+FFFD; what is too long ends in an ellipsis.
std::string plain_name(std::string_view text);

struct ExportNames {
    std::vector<std::string> threads;
    std::vector<std::string> objects;
    std::vector<std::string> sites;
};
ExportNames export_names(Catalogue const& catalogue);

}  // namespace parcast::trace
