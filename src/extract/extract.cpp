#include "extract/extract.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "extract/assumptions.h"
#include "extract/bursts.h"
#include "extract/first_touches.h"
#include "extract/hand_outs.h"
#include "extract/lost_unlocks.h"
#include "extract/passes/conditions.h"
#include "extract/passes/locks.h"
#include "extract/passes/passes.h"
#include "extract/passes/timeouts.h"
#include "extract/passes/turns.h"
#include "extract/plan.h"
#include "extract/polling/late_timeouts.h"
#include "extract/polling/polling.h"
#include "extract/redistribution.h"
#include "extract/sampled_shares.h"
#include "extract/segments.h"
#include "timeline/recording_cost.h"

namespace parcast::extract {

Result<ThreadProgram> program_from(Timeline recorded, ExtractionOptions const& options) {
    if (recorded.origin != Origin::recorded) {
        return fail(
            ErrorCode::inconsistent,
            "This timeline is a prediction: it has no events to make a program of. Give the recording");
    }
    if (auto checked = check(recorded); !checked)
        return pass_on(checked);

    spread_samples(recorded);
    std::int64_t const lost_unlocks = restore_lost_unlocks(recorded);
    Plan plan = empty_plan(recorded);
    plan.doubts.lost_unlocks = lost_unlocks;
    plan_threads(recorded, plan);
    plan_parameters(recorded, plan);
    plan_locks(recorded, plan);
    plan_joins_under_locks(recorded, plan);
    plan_conditions(recorded, plan);
    plan_futexes(recorded, plan);
    plan_semaphores(recorded, plan);
    plan_timeouts(recorded, plan);
    plan_barriers(recorded, plan);
    auto const prices = options.subtract_recording_cost ? recording_prices(recorded) : RecordingPrices();
    plan_wakings(recorded, prices, plan);
    plan_once(recorded, plan);
    plan_channels(recorded, plan);
    plan_waits(recorded, plan);
    plan_polling(recorded, plan);
    drop_late_timeouts(recorded, plan);
    drop_background_sleeps(recorded, plan);
    plan_periods(recorded, plan);
    plan_turns(recorded, plan);

    ThreadProgram program;
    program.catalogue = recorded.catalogue;
    auto const found =
        options.assignment == Assignment::anew ? hand_outs(recorded, plan) : std::vector<HandOut>{};
    Cuts cuts = cuts_of(found, recorded.events.size());
    CpuBalance const balance = write_lists(recorded, plan, prices, cuts, program);
    std::ranges::for_each(program.lists, spread_over_bursts);
    if (!found.empty())
        program.other = {HandOuts::recorded, {}, {}, assumptions(recorded, plan, balance, {}), {}};
    program.assumptions = assumptions(recorded, plan, balance, found);
    program.parameters = std::move(plan.parameters);
    program.objects = std::move(plan.objects);
    program.barriers = std::move(plan.barriers);
    program.polling = std::move(plan.polling);
    hand_out_anew(found, cuts, program);
    if (options.assignment == Assignment::anew)
        share_out_first_touches(program);
    return program;
}

}  // namespace parcast::extract
