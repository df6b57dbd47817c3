// Changes of a program of ranks that send each other messages, to see what they would bring:
//
//     rank:3*0.5      a rank computes half as long; rank:0-7*0.5: several; rank:*0.5: all
//     function:f*0.5  computations of that name
//     tag:5*0.5       messages with that tag have half as many bytes; tag:*0.5: all messages
//     tag:5=free      nobody sends or awaits them any more
//     collective:allreduce*0.5, collective:allreduce=free, collective:*0.5: the same of collective operations
//
// Changes of the network (L=half) are left to forecast/network_points.h.

#pragma once

#include "core/result.h"
#include "program/message_program.h"
#include "program/step_program.h"
#include "program/work_change.h"

namespace parcast {

// The program as it would be, its collective operations still as they are called. Errors: unasked (nothing
// is called so, with what there is; a change of other programs; messages that a receive of any tag may take
// are not left out). Cost: linear for each change.
Result<MessageProgram> changed(MessageProgram const& program, Scenario const& scenario);

// The same for ranks of a program of steps, whose messages have no tags.
Result<StepProgram> changed(StepProgram const& program, Scenario const& scenario);

}  // namespace parcast
