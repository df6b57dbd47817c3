// Before a program is recorded: what it is, and on which CPU it runs.

#pragma once

#include <optional>
#include <string>

#include "core/result.h"

namespace parcast::record {

// The program to record: found as the shell finds it, and checked before anything runs, since ld.so
// ignores LD_PRELOAD without a word where it cannot or must not load the recorder.

// The path of the program `name`: itself if it holds a slash, else the first executable file of that name
// in the folders of $PATH. Errors: no_program, not_executable.
Result<std::string> find_host_program(std::string const& name);

// What forbids to record the executable at `path`: no dynamic loader (static linking), privileges that
// make the loader ignore us, another kind of machine, another C library. For a script, its interpreter is
// checked.
std::optional<Error> reason_not_to_record(std::string const& path);

// The one CPU on which a program is recorded.

// The error if nobody knows the CPUs that may be used.
Error no_cpus();

// `wanted` if this process may run there, without a wish the highest one allowed: the lowest often
// serves interrupts.
Result<unsigned> choose_cpu(std::optional<unsigned> wanted);

}  // namespace parcast::record
