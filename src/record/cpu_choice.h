// The one CPU on which a program is recorded.

#pragma once

#include <optional>

#include "core/result.h"

namespace parcast::record {

// What to say if nobody knows the CPUs that may be used.
Error no_cpus();

// `wanted` if this process may run there, without a wish the highest one allowed: the lowest often
// serves interrupts.
Result<unsigned> choose_cpu(std::optional<unsigned> wanted);

}  // namespace parcast::record
