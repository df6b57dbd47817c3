#include "timeline/recording_cost.h"

namespace parcast {

EventCost recording_cost(Event const& event, Provenance const& provenance) {
    double const half_reading = provenance.clock_read_ns / 2;
    return {.inside_ns = event.blocked ? half_reading : 0,
            .outside_ns = provenance.event_cost_ns + (event.blocked ? half_reading : 0) +
                          (event.switched ? provenance.clock_read_ns : 0)};
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

}  // namespace parcast
