#include "answer/scale.h"

#include <algorithm>

namespace parcast {

char const* name_of(TurnAnswer answer) {
    switch (answer) {
        case TurnAnswer::priced: return "priced";
        case TurnAnswer::no_clear_cost: return "no_clear_cost";
        case TurnAnswer::not_told: return "not_told";
        case TurnAnswer::waits_by_running: return "waits_by_running";
        case TurnAnswer::slices_refused: return "slices_refused";
        case TurnAnswer::failed: return "failed";
    }
    return "";
}

Row const* predicted_on(ScaledCount const& count, std::uint32_t cpus) {
    auto const& runs = count.prediction.rows;
    auto const found = std::find_if(runs.begin(), runs.end(),
                                    [cpus](Row const& run) { return run.cpus == cpus && !run.run.deadlock; });
    return found == runs.end() ? nullptr : &*found;
}

std::optional<Range> compared_range(ScaledCount const& count) {
    if (!count.same_threads || count.compared_cpus == 1)
        return std::nullopt;
    Row const* const run = predicted_on(count, count.compared_cpus);
    return run && run->range ? std::optional(run->range->speed_up) : std::nullopt;
}

MeasuredSeries const* measured_on(ScaledCount const& count, std::uint32_t cpus) {
    auto const found = std::find_if(count.measured.begin(), count.measured.end(),
                                    [cpus](MeasuredSeries const& series) { return series.cpus == cpus; });
    return found == count.measured.end() ? nullptr : &*found;
}

}  // namespace parcast
