// Before a program starts with a library of ours in it: what it is, and on which CPUs it runs.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/result.h"

namespace parcast::record {

// The program: found as the shell finds it, and checked before anything runs, since ld.so ignores LD_PRELOAD
// without a word where it cannot or must not load our library.

// The path of the program `name`: itself if it holds a slash, else the first executable file of that name
// in the folders of $PATH. Errors: no_program, not_executable.
Result<std::string> find_host_program(std::string const& name);

// What forbids to load a library into the executable at `path`: no dynamic loader (static linking),
// privileges that make the loader ignore us, another kind of machine, another C library. For a script, its
// interpreter is checked.
std::optional<Error> reason_not_to_preload(std::string const& path);

// The one CPU on which a program is recorded.

// The error if nobody knows the CPUs that may be used.
Error no_cpus();

// `wanted` if this process may run there, without a wish the highest one allowed: the lowest often
// serves interrupts.
Result<unsigned> choose_cpu(std::optional<unsigned> wanted);

// `wanted` in that order if this process may run on all of them; without a wish all that it may.
Result<std::vector<unsigned>> choose_cpus(std::vector<unsigned> const& wanted);

}  // namespace parcast::record
