// The one CPU on which a program is recorded.

#pragma once

#include <optional>

#include "cli/host_program.h"

#include "core/result.h"

namespace parcast::cli {

// What to say if nobody knows the CPUs that may be used.
Error no_cpus();

// `wanted` if this process may run there, without a wish the highest one allowed: the lowest often
// serves interrupts.
Result<unsigned> choose_cpu(std::optional<unsigned> wanted);

// Binds the calling process and those that it starts. Callable between fork and exec.
bool pin_to(unsigned cpu);

}  // namespace parcast::cli
