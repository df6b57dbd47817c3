// What went wrong, as a value. The code is for programs, the message is a sentence that tells the user
// what is wrong and what to do about it, the place says where (file, line and column, or byte offset).

#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace parcast {

enum class ErrorCode : std::uint8_t {
    not_found,      // a file, symbol or name does not exist
    not_permitted,  // the system refused
    malformed,      // input violates its grammar
    truncated,      // input ends too early
    corrupted,      // a checksum does not match
    unsupported,    // a version, kind or feature that we do not know
    out_of_range,   // a number that the operation cannot take
    inconsistent,   // values that contradict each other
    exhausted,      // no space, memory or descriptors
    not_converged,  // a solver gave up; the message names the residual
};

struct SourcePosition {
    std::string file;
    std::optional<std::uint32_t> line;
    std::optional<std::uint32_t> column;
    std::optional<std::uint64_t> byte_offset;
};

struct Error {
    ErrorCode code = ErrorCode::malformed;
    std::string message;
    std::optional<SourcePosition> place;
};

// "file:line:column: message" or "file, byte N: message", as far as the place is known.
std::string describe(Error const& error);

}  // namespace parcast
