// Locks that several CPUs want at the same moment, as the replays show them: CPUs wait for the line of the
// lock for a large part of the time.

#pragma once

#include <optional>
#include <span>

#include "answer/answer.h"
#include "answer/finding.h"
#include "core/catalogue.h"
#include "machine/machine.h"

namespace parcast::forecast {

// A warning about the lock for which CPUs wait most; none if that is less than a tenth of their time on every
// count of CPUs, or if the machine makes threads spin for locks anyway.
std::optional<Finding> hot_locks(std::span<Row const> rows, Catalogue const& catalogue,
                                 Machine const& machine);

}  // namespace parcast::forecast
