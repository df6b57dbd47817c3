// When does each operation of a message program run? Replays it on a network by discrete-event simulation,
// for a few ranks or for very many.
//
// The rules, those of LogGOPSim but for its defects (Hoefler, Schneider and Lumsdaine 2010):
// (1) A calculation occupies its CPU; a send its CPU and NIC. It begins when what it waits for is over and
//     both are free. A receive is posted then and occupies nothing.
// (2) A message that has arrived occupies the CPU and NIC of the receiver that have the numbers of the
//     sender's, as soon as both are free and whether or not its receive is posted; then it is matched
//     (semantics/matching.h). The receive ends when both are done.
// (3) An eager send ends when its CPU is done with it. One by rendezvous ends, and frees CPU and NIC, when
//     the message is matched; what that takes to be known costs nothing.
// (4) What can begin at a rank at the same time begins in the order in which it entered the queue: an
//     operation when the last one that it waited for became certain to end (a calculation as it began), a
//     message when its send began. Among equal instants, what the lower rank made enter is
//     first, then messages before sends before receives before calculations, then what could have begun
//     earlier, then the lower number of the operation. (With several CPUs, what could have begun earlier is
//     first.)
// With LogGp (machine/network.h) the CPU and NIC are held as the single port demands, and (4) is: a message
// that has arrived goes before any send that has not begun, also where the gap makes that wait for it. With
// one CPU and NIC, messages of one sender do not overtake each other; with several NICs they can.
//
// All times are integers and all events are totally ordered, so the same input gives the same run.

#pragma once

#include <cstdint>
#include <vector>

#include "core/result.h"
#include "machine/network.h"
#include "program/message_program.h"
#include "timeline/message_run.h"

namespace parcast::simulate {

struct MessageReplayOptions {
    // By rank: messages between ranks of one node have the costs of Network::node. Empty: each has its own.
    std::vector<std::uint32_t> node_of_rank = {};
    double cpu_speed = 1;   // calculations take this factor less. REQUIRES: more than 0
    bool with_log = false;  // intervals, messages and the critical path
};

// REQUIRES: check(program) and check(network) hold; the program has no collective.
// Errors: out_of_range (times that no Instant holds; more ranks with CPUs and NICs than fit into memory).
// Cost: O(operations log ranks) time. Memory beyond the program: some 500 bytes a rank, 128 for each
// operation that can begin, is in flight or waits to be matched; 4 for each precedence and 1 for each
// operation, if there are precedences; 80 for each operation, if there is a log.
Result<MessageRun> replay_messages(MessageProgram const& program, Network const& network,
                                   MessageReplayOptions const& options = {});

}  // namespace parcast::simulate
