#include "timeline/recording_cost.h"

namespace parcast {

namespace {

bool reads_clock_inside(Event const& event) {
    bool const is_last_arriver = event.kind == EventKind::barrier_wait && event.value == 1;
    return event.blocked && !is_last_arriver;
}

}  // namespace

EventCost recording_cost(Event const& event, Provenance const& provenance) {
    return {.inside_ns = reads_clock_inside(event) ? provenance.clock_read_ns : 0,
            .outside_ns = provenance.event_cost_ns + (event.switched ? provenance.clock_read_ns : 0)};
}

double recording_cost(Timeline const& recorded) {
    double total = 0;
    for (auto const& events : recorded.events) {
        for (Event const& event : events) {
            EventCost const cost = recording_cost(event, recorded.provenance);
            total += cost.inside_ns + cost.outside_ns;
        }
    }
    return total;
}

double recording_share(Timeline const& recorded) {
    return recording_share(recording_cost(recorded), recorded.provenance);
}

double recording_share(double cost_ns, Provenance const& provenance) {
    double const cpu_ns = static_cast<double>(provenance.cpu_ns);
    return cpu_ns > 0 ? cost_ns / cpu_ns : 0;
}

double event_cost_beside(Timeline const& recorded, double bare_cpu_ns) {
    std::size_t events = 0;
    for (auto const& of_thread : recorded.events)
        events += of_thread.size();
    double const took_ns = static_cast<double>(recorded.provenance.cpu_ns) - bare_cpu_ns;
    return recorded.provenance.event_cost_ns +
           (took_ns - recording_cost(recorded)) / static_cast<double>(events);
}

}  // namespace parcast
