// Replays one program on several machines at once.

#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
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

// A replay that deadlocked.
struct AbandonedRun {
    simulate::Pairing pairing = simulate::Pairing::any;
    Run run;
};

// The replays of one model, by machine.
struct ModelRuns {
    simulate::Pairing pairing = simulate::Pairing::any;
    std::vector<Run> runs;
};

// All replays that an answer rests on, under one model, so that they can be compared.
struct Replays {
    simulate::Pairing pairing = simulate::Pairing::any;
    std::vector<Run> runs;
    Run unbounded;
    std::optional<Run> asleep = std::nullopt;  // the same where threads of teams sleep; none: they do there
    std::vector<AbandonedRun> abandoned;       // deadlocks of other models, if these replaced them
    std::vector<ModelRuns> beside;             // of every model, if all were asked for
};

// `automatic` takes the first of these that deadlocks on no machine (after Broberg 2002, paper VIII, section
// 7):
//
// 1. The direct model.
// 2. The same, but the conditions that threads are stuck at pair as recorded on all machines, until none
//    deadlocks; the program keeps which (ObjectParameters), so that a later replay pairs them, too.
// 3. The client-server model, if there is a list that it cuts.
// 4. The strict model.
// 5. The ordered model, with all work as it was recorded: the program's lists are those of before it was
//    handed out anew. But where threads hold locks that each other want, the program itself can deadlock, and
//    whichever of direct and strict deadlocks on fewer machines says so.
//
// `strict` goes on with 5, too; `all` is `automatic`, with the other models beside it. Models after 2 need to
// know what each wait took: the program keeps that, too. Where it deadlocks on one CPU, and does not say,
// there is no recording, and only the direct model is asked.
Result<Replays> replay_under(ReplayModel model, ThreadProgram& program, std::span<Machine const> machines,
                             unsigned workers, ReplayDetail const& detail = {});

}  // namespace parcast::forecast
