// An assertion of a contract from its text: `speed_up(16) >= 11`. The grammar is in docs/formats/check.md.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <tl/expected.hpp>

#include "answer/contract.h"
#include "core/error.h"

namespace parcast::contract {

// An error, and the line with the columns that carets mark.
struct Fault {
    Error error;
    std::string line;
    std::uint32_t column = 1;  // in bytes
    std::uint32_t length = 1;
};

template <class Value>
using Read = tl::expected<Value, Fault>;

// `place`: where the text begins. Errors: malformed, unsupported (an unknown name, with the nearest),
// out_of_range.
Read<Assertion> parse_assertion(std::string_view text, SourcePosition place);

// Two lines: the faulty one, and carets below it. Control characters are replaced.
std::string excerpt(Fault const& fault, std::string_view margin);

}  // namespace parcast::contract
