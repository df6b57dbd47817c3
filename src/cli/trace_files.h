// Where the traces of a recording go. Nothing that exists is ever overwritten.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "cli/host_program.h"
#include "core/result.h"

namespace parcast::cli {

// Before the run: could a trace be created there? `output` absent: in the working directory.
std::optional<Error> reason_not_to_write(std::optional<std::string> const& output);

// FILE of `-o FILE`, or NAME.PID.parcast.
std::string main_trace_name(std::optional<std::string> const& output, std::string const& program,
                            std::int64_t process);

// For further processes and program images: STEM.PID.parcast beside FILE, or NAME.PID.parcast.
std::string further_trace_name(std::optional<std::string> const& output, std::string const& program,
                               std::int64_t process);

// As many traces of further processes lie beside the main one; more of them get a folder.
inline constexpr std::size_t most_traces_beside = 8;

// Makes a new folder named after the main trace: "sh.4711.processes/", or with .1, .2 ... if that exists.
// Empty if it cannot be made.
std::string folder_for_further_traces(std::string const& main_trace);

// Writes a file whole or not at all, under `name` or, if that exists by now, with .1, .2 ... before the
// ending. The name that it got. Errors: not_permitted, exhausted (a full disk), nothing left behind.
Result<std::string> write_trace_file(std::string const& name, std::span<std::byte const> content);

}  // namespace parcast::cli
