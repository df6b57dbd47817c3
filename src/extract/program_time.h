// Time as the recorded program would have had it alone on its CPU: what its threads worked, and how long all
// of them waited. What other programs took of the CPU while some thread was ready is left out.

#pragma once

#include <cstdint>
#include <vector>

#include "core/time.h"
#include "timeline/timeline.h"

namespace parcast::extract {

// How long no thread could use the CPU. A thread is at rest inside calls that blocked (also while it is ready
// there), before its first event and after its last one. Cost: O(n log t) for n events of t threads; memory:
// O(t).
Duration time_at_rest(Timeline const& recorded);

class ProgramTime {
public:
    // Cost: as time_at_rest.
    explicit ProgramTime(Timeline const& recorded);

    // To a part in 4,000 of the recording. REQUIRES: from <= to, ns since the start of the recording.
    Duration between(std::int64_t from_ns, std::int64_t to_ns) const;

private:
    double until(std::int64_t when_ns) const;
    void add(std::int64_t from_ns, std::int64_t to_ns, std::int64_t had_ns);

    double part_ns_;                  // the recording in parts of this length
    std::vector<double> had_before_;  // ns of the program's time before each part
};

}  // namespace parcast::extract
