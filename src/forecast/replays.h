// Replays one program on several machines at once.

#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "answer/question.h"
#include "core/result.h"
#include "machine/machine.h"
#include "simulate/simulate.h"

namespace parcast::forecast {

// runs[i] is the replay on machines[i], whatever the number of workers: a replay shares nothing with the
// others but the program, which nobody changes. Errors: the first in the order of machines.
// REQUIRES: workers >= 1.
Result<std::vector<Run>> replay_all(ThreadProgram const& program, std::span<Machine const> machines,
                                    unsigned workers, simulate::Pairing pairing = simulate::Pairing::any);

// How much of the replays is kept, and of which.
struct ReplayDetail {
    RunDetail detail = RunDetail::totals;
    std::vector<std::uint32_t> cpus = {};                                  // rising; of others, totals
    std::size_t most_intervals = std::numeric_limits<std::size_t>::max();  // in a run; with more, totals
    RunListener listener = {};
};

// All replays that an answer rests on, under one model, so that they can be compared.
struct Replays {
    simulate::Pairing pairing = simulate::Pairing::any;
    std::vector<Run> runs;
    Run unbounded;
    std::vector<Run> abandoned;  // replays of the direct model that deadlocked, if these replaced it
};

// `automatic`: the direct model. If it deadlocks on some machine, the conditions that threads are stuck at
// pair as recorded on all of them, until none deadlocks; the program keeps which (ObjectParameters), so that
// a later replay pairs them, too. If that does not help, the strict model (Broberg 2002, paper VIII, section
// 4, without its client-server step). If that deadlocks on some machine, too, the ordered model, with all
// work as it was recorded: the program's lists are those of before it was handed out anew. But where threads
// hold locks that each other want, the program itself can deadlock, and whichever of direct and strict
// deadlocks on fewer machines says so.
Result<Replays> replay_under(ReplayModel model, ThreadProgram& program, std::span<Machine const> machines,
                             unsigned workers, ReplayDetail const& detail = {});

}  // namespace parcast::forecast
