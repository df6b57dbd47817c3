// Rows of answers about ranks that send each other messages.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "answer/answer.h"
#include "core/result.h"
#include "forecast/target.h"
#include "machine/network.h"
#include "program/message_program.h"

namespace parcast::forecast {

// Errors: unasked (the target has no network), with those that there are.
Result<void> network_is_named(std::string const& file, TargetMachine const& target);

// A replay on the network, and one on a network on which messages cost nothing. `nodes`: by rank; empty: each
// rank has its own. REQUIRES: check(program); no collectives. Errors: those of replay_messages.
Result<Row> replayed_row(MessageProgram const& program, Network const& network, MessageMethod method,
                         std::vector<std::uint32_t> nodes = {}, double cpu_speed = 1);

}  // namespace parcast::forecast
