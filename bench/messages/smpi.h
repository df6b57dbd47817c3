// SimGrid's replay of time-independent traces, as a program of its own: Debian's package libsimgrid-dev.

#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace parcast::bench {

bool has_smpi();

// The trace of all ranks in a text, each rank on a host of its own. CPU seconds of the whole replay; none: it
// does not run, or fails. REQUIRES: has_smpi().
std::optional<double> smpi_replay_cpu_s(std::string const& trace, std::uint32_t ranks);

}  // namespace parcast::bench
