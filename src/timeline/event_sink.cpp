#include "timeline/event_sink.h"

#include <algorithm>
#include <array>

namespace parcast {

void hand_over_events(Timeline const& recorded, EventSink const& take) {
    std::array<Event, handed_over_at_once> batch;
    for (std::size_t thread = 0; thread < recorded.events.size(); ++thread) {
        EventList const& events = recorded.events[thread];
        for (std::size_t first = 0; first < events.size();) {
            std::size_t const count = std::min(events.size() - first, batch.size());
            for (std::size_t i = 0; i < count; ++i)
                batch[i] = events[first + i];
            take(ThreadId(thread), std::span(batch).first(count));
            first += count;
        }
    }
}

void hand_over_shares(Timeline const& recorded, ShareSink const& take) {
    for (std::size_t thread = 0; thread < recorded.shares.size(); ++thread)
        if (!recorded.shares[thread].empty())
            take(ThreadId(thread), recorded.shares[thread]);
}

}  // namespace parcast
