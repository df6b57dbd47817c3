#include "timeline/recording_cost.h"

#include <algorithm>

namespace parcast {

namespace {

bool reads_clock_inside(Event const& event) {
    bool const is_last_arriver = event.kind == EventKind::barrier_wait && event.value == 1;
    return event.blocked && !is_last_arriver;
}

}  // namespace

RecordingPrices recording_prices(Timeline const& recorded) {
    Provenance const& provenance = recorded.provenance;
    return {provenance.event_cost_ns,    provenance.unmeasured_cost_ns,   provenance.clock_read_ns,
            provenance.call_probes,      KernelLocks(recorded.catalogue), provenance.map_change_note_ns,
            provenance.map_fault_note_ns};
}

EventCost recording_cost(Event const& event, RecordingPrices const& prices) {
    if (prices.noted_by_kernel.has(event.object)) {
        bool const is_change = event.kind == EventKind::write_lock;
        bool const is_fault = event.kind == EventKind::read_lock;
        return {.outside_ns = is_change ? prices.map_change_ns : is_fault ? prices.map_fault_ns : 0};
    }
    return {.inside_ns = reads_clock_inside(event) ? prices.clock_read_ns : 0,
            .outside_ns = (event.unmeasured ? prices.unmeasured_ns : prices.event_ns) +
                          (event.switched ? prices.clock_read_ns : 0)};
}

double recording_cost(WorkShare const& share, RecordingPrices const& prices) {
    if (!prices.call_probes)
        return 0;
    CallProbes const& probes = *prices.call_probes;
    return share.calls * (probes.inside_ns + probes.outside_ns) + share.deeper_calls * probes.deeper_ns +
           probes.share_ns;
}

// A part of what a call costs is in the time of its caller.
std::vector<double> without_recording_cost(std::span<WorkShare const> piece, Catalogue const& catalogue,
                                           RecordingPrices const& prices) {
    std::vector<double> ns;
    ns.reserve(piece.size());
    for (WorkShare const& share : piece)
        ns.push_back(static_cast<double>(share.ns));
    if (!prices.call_probes)
        return ns;
    CallProbes const& probes = *prices.call_probes;
    for (std::size_t i = 0; i < piece.size(); ++i) {
        WorkShare const& share = piece[i];
        ns[i] -= share.calls * probes.inside_ns + share.deeper_calls * probes.deeper_ns + probes.share_ns;
        if (share.calls == 0 || share.stack.is_none())
            continue;
        auto const caller =
            std::ranges::find(piece, catalogue.stacks[share.stack.index()].caller, &WorkShare::stack);
        if (caller != piece.end())
            ns[static_cast<std::size_t>(caller - piece.begin())] -= share.calls * probes.outside_ns;
    }
    for (double& each : ns)
        each = std::max(each, 0.0);
    return ns;
}

double recording_cost(Timeline const& recorded) {
    auto const prices = recording_prices(recorded);
    double total = 0;
    for (auto const& shares : recorded.shares)
        for (WorkShare const& share : shares)
            total += recording_cost(share, prices);
    for (auto const& events : recorded.events) {
        for (Event const& event : events) {
            EventCost const cost = recording_cost(event, prices);
            total += cost.inside_ns + cost.outside_ns;
        }
    }
    return total;
}

double priced_events(std::int64_t events, Provenance const& provenance) {
    if (provenance.event_cost_ns <= 0)
        return static_cast<double>(events);
    std::int64_t const unmeasured = std::min(events, provenance.unmeasured_events);
    return static_cast<double>(events - unmeasured) +
           static_cast<double>(unmeasured) * provenance.unmeasured_cost_ns / provenance.event_cost_ns;
}

double recording_share(Timeline const& recorded) {
    return recording_share(recording_cost(recorded), recorded.provenance);
}

double recording_share(double cost_ns, Provenance const& provenance) {
    double const cpu_ns = static_cast<double>(provenance.cpu_ns);
    return cpu_ns > 0 ? cost_ns / cpu_ns : 0;
}

}  // namespace parcast
