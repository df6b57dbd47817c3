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
    target.shape.costs.create_thread = rounded(recorded.wake_ups->creation);
    target.shape.knows_wake_ups = true;
    return target;
}

std::optional<std::string> wake_up_assumption(TargetMachine const& target, Provenance const* recorded) {
    if (recorded == nullptr || !target.shape.knows_wake_ups || !recorded->wake_ups)
        return std::nullopt;
    auto const& [latency, call, creation] = *recorded->wake_ups;
    return "Waking a thread of another CPU takes " + time_text(rounded(latency.value)) + ", " +
           time_text(rounded(call.value)) +
           " of them of the thread that wakes it, and creating one there takes its creator " +
           time_text(rounded(creation)) + " more than on its own CPU: as record measured it on " +
           (recorded->host.empty() ? "its host" : recorded->host) + '.';
}

}  // namespace parcast::forecast
