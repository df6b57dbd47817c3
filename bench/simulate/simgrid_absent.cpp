#include "simulate/simgrid_replay.h"

namespace parcast::bench {

bool const has_simgrid = false;

std::optional<SimgridReplay> replay_in_simgrid(ThreadProgram const&) {
    return std::nullopt;
}

}  // namespace parcast::bench
