// Line and column of a byte of a text, for messages: both from 1, a column is a byte. Cost: linear, so that
// it is asked once, for the message.

#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "core/error.h"

namespace parcast {

SourcePosition place_in(std::string_view text, std::size_t offset, std::string file);

}  // namespace parcast
