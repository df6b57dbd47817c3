#include "deterministic/simgrid_workers.h"

namespace parcast::bench {

bool const has_simgrid = false;

std::optional<SimgridRun> run_in_simgrid(TaskGraph const&, std::uint32_t) {
    return std::nullopt;
}

}  // namespace parcast::bench
