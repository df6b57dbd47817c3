// From samples of a process to shares of the work of its threads. Addresses become functions; of those that
// are inlined each is one, called by the one around it.

#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "record/sampler.h"
#include "timeline/event_sink.h"
#include "timeline/timeline.h"
#include "wire/record.h"

namespace parcast::record {

class SampledWork {
public:
    // Takes the samples of the image with this header, and puts its functions into the catalogue. `recorded`
    // has names already. Nothing happens if the image has none, or says itself what its functions take.
    void add(Samples const& samples, wire::Header const& header, Timeline& recorded);

    // With the shares of the work before those events, besides them.
    RecordingSink divided(RecordingSink const& take);

private:
    struct OfThread {
        std::int64_t wall_ns = 0;
        StackId stack;
    };
    std::int64_t period_ns_ = 0;
    std::vector<std::vector<OfThread>> threads_;  // by time
};

}  // namespace parcast::record
