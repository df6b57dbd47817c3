// What went wrong, as a value. The code is for programs (the command line derives its exit status from it).
// The message is a sentence without its final stop, which whoever prints it adds; it tells the user what is
// wrong. The place is a file, line and column, or a byte offset.

#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace parcast {

enum class ErrorCode : std::uint8_t {
    not_found,       // a file, symbol or name does not exist
    not_permitted,   // the system refused
    malformed,       // input violates its grammar
    truncated,       // input ends too early
    corrupted,       // a checksum does not match
    unsupported,     // a version, kind or feature that we do not know
    out_of_range,    // a number that the operation cannot take
    inconsistent,    // values that contradict each other
    exhausted,       // no space, memory or descriptors
    not_converged,   // a solver gave up; the message names the residual
    unasked,         // a question that this input, or these options together, have no answer to
    impossible,      // the prediction does not exist: the replay deadlocks
    not_written,     // a result could not be written
    program_failed,  // the program that was to be recorded or measured did
    not_recorded,    // parcast cannot record this program here
    not_executable,  // what is to be run is no program
    no_program,      // there is no program of this name
    bug,             // of parcast
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
    std::string advice = {};  // the next command to try, a sentence of its own; may be empty
};

// "file:line:column: message" or "file, byte N: message", as far as the place is known.
std::string describe(Error const& error);

Error make_error(ErrorCode code, std::string message, std::string advice = {});
// The same error, its place kept, with a way out.
Error with_advice(Error error, std::string advice);
// The same error, its place kept, as one of another kind: what could not be opened is a result that is not
// written.
Error with_code(ErrorCode code, Error error, std::string advice = {});

}  // namespace parcast
