// Times of which a recording does not show whether they belong to the program.
//
// 1. Naps that may pass time, or wait for what others do.
// 2. Lone holds: once, twice or three times a lock was held for far longer than at all other times from that
//    place. A preempted thread may have had CPU time that was not its own, or the program does that seldom.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/id.h"
#include "core/result.h"
#include "core/time.h"
#include "forecast/forecast.h"
#include "program/thread_program.h"

namespace parcast::forecast {

// The lone holds of the locks that are taken at one site.
struct LoneHolds {
    SiteId site = SiteId::none();
    std::uint32_t count = 0;
    Duration longest;
    Duration usual;  // 99 of 100 holds take less

    friend bool operator==(LoneHolds const&, LoneHolds const&) = default;
};

// Those whose work is at least a hundredth of the program's, in the order of sites. Three passes over it, and
// some hundred bytes for each site that takes locks.
std::vector<LoneHolds> lone_holds(ThreadProgram const& program);

// The same with these holds as long as the usual ones.
ThreadProgram with_usual_holds(ThreadProgram program, std::vector<LoneHolds> const& lone);

// The ranges of the rows, which are the forecast's, reach to where the program is without doubtful times;
// lone holds become an assumption, too. Copies the program, and replays it once for each row. Of programs of
// more than 50 million operations lone holds are not looked for. Errors: those of the replays.
Result<void> reach_without_doubtful_times(Forecast& forecast, std::span<Row* const> rows);

}  // namespace parcast::forecast
