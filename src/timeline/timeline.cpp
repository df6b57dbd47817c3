#include "timeline/timeline.h"

namespace parcast {

std::int64_t event_count(Timeline const& timeline) {
    std::int64_t count = 0;
    for (auto const& events : timeline.events)
        count += static_cast<std::int64_t>(events.size());
    return count;
}

std::int64_t cpu_time_ns(Timeline const& timeline, ThreadId thread) {
    std::int64_t sum = 0;
    for (Event const& event : timeline.events[thread.index()])
        sum += event.cpu_ns + event.cpu_inside_ns;
    return sum;
}

}  // namespace parcast
