#include "forecast/recorded_costs.h"

#include <cmath>

#include "core/time_text.h"

namespace parcast::forecast {

namespace {

Duration rounded(double ns) {
    return {std::llround(ns)};
}

}  // namespace

TargetMachine with_recorded_wake_ups(TargetMachine target, Provenance const& recorded) {
    if (!target.is_usual || !recorded.wake_ups)
        return target;
    target.shape.costs.wake_up = rounded(recorded.wake_ups->latency.value);
    target.shape.costs.wake_waiter = rounded(recorded.wake_ups->call.value);
    target.shape.costs.wake_up_soon = rounded(recorded.wake_ups->latency.low);
    target.shape.costs.wake_waiter_soon = rounded(recorded.wake_ups->call.low);
    target.shape.costs.create_thread = rounded(recorded.wake_ups->creation);
    target.shape.knows_wake_ups = true;
    return target;
}

std::optional<std::string> wake_up_assumption(TargetMachine const& target, Provenance const* recorded) {
    if (recorded == nullptr || !target.shape.knows_wake_ups || !recorded->wake_ups)
        return std::nullopt;
    auto const& [latency, call, creation] = *recorded->wake_ups;
    auto const text = [](double ns) { return time_text(rounded(ns)); };
    return "Waking a thread of another CPU takes " + text(latency.value) + ", " + text(call.value) +
           " of them of the thread that wakes it, and " + text(latency.low) + " and " + text(call.low) +
           " where that CPU was idle for 20 us or less; creating one there takes its creator " +
           text(creation) + " more than on its own CPU: as record measured it on " +
           (recorded->host.empty() ? "its host" : recorded->host) + '.';
}

}  // namespace parcast::forecast
