// Events that are handed over as they are read, so that nobody needs all of a recording in memory.

#pragma once

#include <functional>
#include <span>

#include "timeline/timeline.h"

namespace parcast {

// Takes some consecutive events of one thread, which are the caller's again afterwards. Threads come in the
// order of their ids, the events of each in their own.
using EventSink = std::function<void(ThreadId, std::span<Event const>)>;

// Takes shares of the work before the events of one thread, in the same order.
using ShareSink = std::function<void(ThreadId, std::span<WorkShare const>)>;

struct RecordingSink {
    EventSink events;
    ShareSink shares = {};  // empty: nobody asks for them
};

// As many as stay in a processor's cache.
inline constexpr std::size_t handed_over_at_once = 256;

// All that the timeline holds.
void hand_over_events(Timeline const& recorded, EventSink const& take);
void hand_over_shares(Timeline const& recorded, ShareSink const& take);

}  // namespace parcast
