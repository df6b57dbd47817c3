// Rows of answers about ranks that send each other messages.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "answer/answer.h"
#include "answer/question.h"
#include "core/result.h"
#include "core/time.h"
#include "forecast/target.h"
#include "machine/network.h"
#include "program/message_program.h"

namespace parcast::forecast {

// Errors: unasked (the target has no network, or none between nodes where that is needed), with those that
// there are.
Result<void> network_is_named(std::string const& file, TargetMachine const& target,
                              bool is_between_nodes = true);

// By rank: the node; empty: each rank has its own.
struct ReplaySetting {
    std::vector<std::uint32_t> node_of_rank = {};
    double cpu_speed = 1;
    RunDetail detail = RunDetail::totals;
};

// The time if messages cost nothing; none: it deadlocks. REQUIRES and errors as below.
Result<std::optional<Duration>> time_on_ideal_network(MessageProgram const& program, double cpu_speed);

// A replay on the network. REQUIRES: check(program); no collectives. Errors: those of replay_messages.
Result<Row> replayed_row(MessageProgram const& program, Network const& network, MessageMethod method,
                         ReplaySetting const& setting = {});

}  // namespace parcast::forecast
