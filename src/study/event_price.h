// What recording an event takes in a program, by CPU times of runs of it without the recorder.

#pragma once

#include <cstdint>
#include <vector>

#include "answer/event_price.h"
#include "timeline/provenance.h"

namespace parcast::study {

// ns of CPU time.
struct RecordedCost {
    double events = 0;   // one that was not measured counts by its part of the price of an event
    double cost_ns = 0;  // of recording, by the recorder's own price
};

// The price with which recording took what the recorded run used beside the fastest of the others. It is not
// to be used where it is over twice or under half of the recorder's: then something else differs between the
// runs. REQUIRES: an event, a run.
EventPrice event_price(Provenance const& recorded, RecordedCost const& cost, std::vector<double> bare_cpu_ns);

// The recording gets the price, and how far the runs lie apart as its uncertainty, if it is to be used.
void use(EventPrice const& price, Provenance& recorded);

}  // namespace parcast::study
