// Follows the runs of an answer while they are made, for callers that show what is known by then.

#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>

#include "machine/machine.h"
#include "program/thread_program.h"
#include "timeline/run.h"

namespace parcast {

struct Answer;

// Each function is called by whichever thread makes a run, several of them at once.
struct RunListener {
    // The program of threads, and what the answer tells without any run of it. Both are lent.
    std::function<void(ThreadProgram const&, Machine const&, Answer const&)> program_known =
        [](ThreadProgram const&, Machine const&, Answer const&) {};
    // Before each run, which waits until this returns. None: with a CPU for every thread.
    std::function<void(std::optional<std::uint32_t> cpus)> run_begins = [](std::optional<std::uint32_t>) {};
    // Not called for a run without a bound on the CPUs.
    std::function<void(Run const&)> run_ended = [](Run const&) {};
    // Before each of the `all` replays that ranges take; they come after those runs. `begun` of them have
    // begun before it, and it waits until this returns.
    std::function<void(std::size_t begun, std::size_t all)> range_replay_begins = [](std::size_t,
                                                                                     std::size_t) {};
};

}  // namespace parcast
