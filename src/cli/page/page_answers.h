// Parts of the answers to a page, whatever it shows.

#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "page/server.h"

namespace parcast::cli {

page::Answer sentence(int status, std::string_view text);
page::Answer found(char const* type, page::Content content);

inline constexpr char const* type_of_executions = "application/octet-stream";

// A parameter's text, empty if it is not there; and as a number, if it is one.
std::string_view value_of(page::Parameters const& parameters, char const* name);
std::optional<std::uint32_t> number_of(page::Parameters const& parameters, char const* name);

}  // namespace parcast::cli
