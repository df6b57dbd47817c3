// What the other threads did while one napped: on one CPU the recorded events have one order, so whatever
// ended a row of naps is among what they did between the thread's last two looks.

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "extract/plan.h"
#include "extract/polling/nap_rows.h"
#include "timeline/timeline.h"

namespace parcast::extract {

// From one look to the next.
struct LookInterval {
    std::int64_t from_ns = 0;
    std::int64_t to_ns = 0;
};

class CourseOfOthers {
public:
    // All of it is the caller's. Cost: O(n log n) in the calls that waited.
    CourseOfOthers(Timeline const& recorded, std::span<NapGroup const> groups);

    // When all threads had come to rest within the interval, and stayed at rest for `least_ns`: blocked,
    // napping, or ended.
    std::optional<std::int64_t> came_to_rest(LookInterval interval, std::int64_t least_ns) const;
    bool rested_throughout(LookInterval interval) const;

    // Calls visit(EventReference, Event const&) for what the others did within the interval, thread after
    // thread, but for looks between naps; of each thread the latest `most_events_seen`.
    template <class Visit>
    void visit_events(ThreadId napper, LookInterval interval, Visit visit) const {
        for (std::size_t thread = 0; thread < recorded_.events.size(); ++thread) {
            if (ThreadId(thread) == napper)
                continue;
            auto const [first, last] = events_in(thread, interval);
            for (std::uint32_t i = first; i < last; ++i) {
                Event const event = recorded_.events[thread][i];
                if (event.kind != EventKind::thread_begin && !is_look(thread, i))
                    visit(EventReference{ThreadId(thread), i}, event);
            }
        }
    }

    // The thread's latest call before that time; of a thread that naps, the first nap of its row.
    std::optional<EventReference> latest_call(ThreadId thread, std::int64_t when_ns) const;
    // Which thread was running then, and where: its next call, and the part of the CPU time before that call
    // which it still had to use. None: nobody was.
    struct Running {
        EventReference next;
        std::int64_t left_ns = 0;
    };
    std::optional<Running> running_at(ThreadId napper, std::int64_t when_ns) const;

private:
    static constexpr std::uint32_t most_events_seen = 2'000;

    struct Range {
        std::uint32_t first;
        std::uint32_t last;
    };
    struct Change {
        std::int64_t when_ns;
        std::int64_t running;  // threads more
    };

    void add_changes(std::size_t thread, std::vector<Change>& changes) const;
    Range const* row_around(std::size_t thread, std::uint32_t event) const;
    bool is_look(std::size_t thread, std::uint32_t event) const {
        return row_around(thread, event) != nullptr;
    }
    std::uint32_t first_after(std::size_t thread, std::int64_t when_ns) const;
    Range events_in(std::size_t thread, LookInterval interval) const;

    Timeline const& recorded_;
    std::vector<std::vector<Range>> rows_;  // by thread, ordered
    std::vector<LookInterval> rests_;       // of all threads, ordered
};

}  // namespace parcast::extract
