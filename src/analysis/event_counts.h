// The events of each thread of a recording, in the sense of the events/threads model (Marinescu, Rice and
// Vavalis 1990, section 2.2): how many, of which kind, at which places, with how much work between them and
// how much data. No time but CPU time: what a thread waited on the one CPU was mostly another one's turn.
//
// Assumptions: (1) An event is a maximal time in which a thread is not active: calls that synchronise,
// create, join, or do input and output, with less work between them than `same_event`; without that each call
// is an event. (2) A thread begins and ends with an event, so that n events have n - 1 active periods. (3) An
// event is a read if one of its calls waits (for a lock, a condition, a thread, input), else a write. (4) It
// happens at the place of its first call. (5) Yields, and changes of priority or affinity, are the program's
// work.

#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "core/id.h"
#include "core/time.h"
#include "timeline/recording_cost.h"
#include "timeline/timeline.h"

namespace parcast::analysis {

struct ThreadEventCounts {
    std::int64_t events = 0;  // kappa, at least 1
    std::int64_t writes = 0;  // of them; neither: the begin and the end
    std::int64_t reads = 0;
    std::int64_t calls = 0;       // that the events are made of
    std::int64_t data_bytes = 0;  // of input and output
    double active_ns = 0;         // CPU time between events, without what recording took
    double communicating_ns = 0;  // CPU time in the calls, and between calls of one event
    double writing_ns = 0;        // of that, in writes
    // Wall time beyond their CPU time of calls whose waits a replay takes from the recording: input, output,
    // sleeping.
    std::int64_t write_wait_ns = 0;
    std::int64_t read_wait_ns = 0;
};

// What a call was about, and where it was made. None: the begins and ends of threads.
struct EventPlace {
    ObjectId object = ObjectId::none();  // one of those that a cause has in common: objects of one name
    SiteId site = SiteId::none();
    EventKind kind = EventKind::thread_begin;
    std::int64_t events = 0;
};

struct EventCounts {
    std::vector<ThreadEventCounts> threads;  // by ThreadId
    std::vector<EventPlace> places;          // by (site, object)
};

// Takes the events as an EventSink does. Memory: O(threads + objects + places).
class EventCounter {
public:
    // Looks at all of `recorded` but its events. REQUIRES: same_event >= 0.
    EventCounter(Timeline const& recorded, Duration same_event);

    void add(ThreadId thread, std::span<Event const> events);
    // After the last event.
    EventCounts finish();

private:
    // The event that the thread is in, since its last call.
    struct Open {
        bool is_read = false;
        bool is_write = false;
        double communicating_ns = 0;
        std::int64_t write_wait_ns = 0;
        std::int64_t read_wait_ns = 0;
    };

    void add(Event const& event);
    void begin_event(Event const& event);
    void end_event();
    void end_thread();
    std::int64_t& count_at(Event const& event);

    RecordingPrices const prices_;
    double same_event_ns_;
    std::vector<std::uint32_t> name_of_object_;  // the first object of the same kind and name
    ThreadId thread_;
    double work_ns_ = 0;  // since the last call; below 0: recording took more than there was
    Open open_;
    bool has_begun_ = false;
    bool has_ended_ = false;  // its last event is its end
    EventCounts counts_;
    std::unordered_map<std::uint64_t, std::uint32_t> place_at_;  // into counts_.places
    std::uint64_t last_key_ = 0;
    std::uint32_t last_place_ = 0;
};

// With its events.
EventCounts count_events(Timeline const& recorded, Duration same_event = Duration{0});

}  // namespace parcast::analysis
