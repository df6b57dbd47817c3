// The run of a message program as a run like any other: a thread for each CPU of each rank, with a processor
// of its own, so that there are no lanes by processor; what a rank waits for is an object (a row of
// message_waits), and whoever ended a waiting its releaser.
//
// Time is conserved: computing is busy (or running), overhead of messages is communicating, waiting is idle
// processor time of the cause message, and what comes after the end of a CPU's last operation has no thread.
// With a log the run has a timeline: intervals, messages and the critical path.

#pragma once

#include <array>
#include <string_view>

#include "core/catalogue.h"
#include "timeline/message_run.h"
#include "timeline/run.h"

namespace parcast {

// What a rank waits for.
struct MessageWaitRow {
    MessageWait wait;
    std::string_view key;     // in JSON
    std::string_view name;    // in tables
    std::string_view reason;  // "{peer}": whoever ends it
    std::string_view during;  // ranks wait, in a sentence about all of them
};

// By MessageWait.
inline constexpr std::array<MessageWaitRow, message_wait_count> message_waits{{
    {MessageWait::late_sender, "late_sender", "late sender",
     "It waits for a message from {peer} that has not arrived.",
     "for messages that their senders send late, or that are on their way"},
    {MessageWait::rendezvous, "rendezvous", "rendezvous",
     "It has sent a large message and waits until its receive is posted; {peer} ended that.",
     "for receives that are posted late: large messages wait for them"},
    {MessageWait::gap, "gap", "gap",
     "It waits for its own interface, which is still busy with other messages.",
     "for their interface, which is still busy with other messages"},
    {MessageWait::cpu, "cpu", "other CPU", "It waits for {peer}.", "for other CPUs of their own"},
    {MessageWait::collective, "collective", "collective",
     "It is in a collective operation and waits for {peer}.",
     "in collective operations, for ranks that come late or messages that are on their way"},
}};
static_assert([] {
    for (std::size_t i = 0; i < message_waits.size(); ++i)
        if (message_waits[i].wait != static_cast<MessageWait>(i))
            return false;
    return true;
}());

// The names of its threads, "rank 3" or "rank 3, CPU 1", and of its objects.
Catalogue catalogue_of_messages(std::uint32_t ranks, std::uint32_t cpus);

// Cost: O(intervals + messages). Takes the log.
Run run_of(MessageRun run);

}  // namespace parcast
