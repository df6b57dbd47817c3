// When and on which processor things happened that a thread takes later: units of a semaphore, tokens of a
// condition, ends of threads, and threads that came to a rendezvous first. With a delay of events
// (Costs::event_delay) whoever takes one on another processor within that delay waits for its rest: an event
// reaches every processor t after it happened, whether or not somebody waits for it already (Broberg 2002,
// paper VII).
//
// Units and tokens are taken in the order in which they were posted. A wait with a mutex takes its token at
// once: the thread keeps the mutex, which reached it with all that happened before.

#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "core/id.h"
#include "program/thread_program.h"
#include "semantics/operations.h"

namespace parcast::simulate {

class PastEvents {
public:
    struct Event {
        std::int64_t when = 0;
        ThreadId by = ThreadId::none();
        CpuId place = CpuId::none();
    };

    explicit PastEvents(ThreadProgram const& program);

    // After an operation of the thread, at its place, and before its releases are cleared. The event that it
    // took without waiting; none: it took none. Cost: constant.
    std::optional<Event> executed(ThreadId thread, Operation const& operation, semantics::Progress progress,
                                  semantics::Operations& operations, std::int64_t now, CpuId place);

private:
    struct Units {
        std::int64_t initial = 0;
        std::deque<Event> posted;
    };
    std::optional<Event> taken_unit(Units& units);

    std::vector<Units> units_;   // by object
    std::vector<Event> ends_;    // by thread
    std::vector<Event> coming_;  // by thread: to a rendezvous
};

}  // namespace parcast::simulate
