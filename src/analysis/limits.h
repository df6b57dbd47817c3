// What keeps an execution from using its processors: the lost processor time by cause, largest first.

#pragma once

#include <cstdint>
#include <vector>

#include "core/catalogue.h"
#include "core/time.h"
#include "timeline/accounts.h"

namespace parcast::analysis {

enum class Cause : std::uint8_t {
    busy,       // not lost: the program's work
    slowed,     // work took longer because other processors were busy: the machine's rates
    spinning,   // a thread waited on its processor
    overhead,   // context switches, wake-ups, creation of threads
    ready,      // a thread was ready, but not (yet) on a processor
    lock,       // waiting for a mutex, spin or reader-writer lock
    condition,  // waiting for a condition, semaphore, barrier or futex
    input_output,
    sleeping,
    joining,    // waiting for another thread to end
    no_thread,  // fewer threads than processors: want of work
};

char const* name_of(Cause cause);  // "busy", "overhead", "ready", "lock", ..., as in JSON

struct Limit {
    Cause cause = Cause::busy;
    ObjectId object =
        ObjectId::none();  // spinning, lock, condition, input_output: which; none: all others together
    Duration processor_time;
    double share = 0;  // of cpus * completion
};

// Every processor-nanosecond of the execution, once: the shares of the result sum to 1 and the times to
// cpus * completion exactly. `busy` first, then the others by falling time; zero rows are left out. At
// most `objects_each` objects of a cause have a row of their own, the rest share one.
std::vector<Limit> limits(Accounts const& accounts, Catalogue const& catalogue, std::size_t objects_each = 3);

}  // namespace parcast::analysis
