// Rows of answers about programs of steps.

#pragma once

#include <vector>

#include "answer/answer.h"
#include "answer/question.h"
#include "core/result.h"
#include "machine/network.h"
#include "program/step_program.h"

namespace parcast::forecast {

// What both algorithms know of a network: LogGP's single port, between nodes.
Network single_port_of(Network network);

// By the standard algorithm, by the overestimate, and overlapped. Errors: those of replay_messages.
// REQUIRES: a network of single_port_of(), changed or not.
Result<std::vector<Row>> step_rows(StepProgram const& program, Network const& network,
                                   StepsQuestion const& question, RunDetail detail = RunDetail::totals);

}  // namespace parcast::forecast
