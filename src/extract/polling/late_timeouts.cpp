#include "extract/polling/late_timeouts.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>

#include "extract/polling/nap_rows.h"
#include "extract/program_time.h"
#include "timeline/run_delay.h"

namespace parcast::extract {

namespace {

constexpr std::int64_t recording_over_wait = 100;
constexpr double surely_earlier = 0.9;     // of the limit
constexpr double most_of_recording = 0.8;  // that the program had

class LateTimeouts {
public:
    LateTimeouts(Timeline const& recorded, Plan& plan) : recorded_(recorded), plan_(plan) {}

    void drop_those_of(ThreadId thread) {
        auto const& events = recorded_.events[thread.index()];
        std::map<std::pair<SiteId, ObjectId>, std::int64_t> satisfied_ns;  // the next such wait
        for (auto i = static_cast<std::uint32_t>(events.size()); i-- > 0;) {
            Event const event = events[i];
            if (!event.blocked || event.object.is_none())
                continue;
            std::pair const place(event.site, event.object);
            EventReference const reference{thread, i};
            auto const next = satisfied_ns.find(place);
            if (is_satisfied(event, reference))
                satisfied_ns[place] = return_ns(event);
            else if (next == satisfied_ns.end() || !nap_kinds.contains(event.kind))
                continue;
            else if (event.outcome != Outcome::timed_out)
                satisfied_ns.erase(next);
            else if (is_late(event, next->second)) {
                take_no_time(reference, plan_);
                ++plan_.doubts.late_timeouts;
            }
        }
    }

private:
    bool is_late(Event const& wait, std::int64_t satisfied_ns) {
        std::int64_t const limit_ns = nap_ns(wait) - run_delay_ns(wait).value_or(0);
        if (limit_ns < recorded_.length.ns / recording_over_wait)
            return false;
        if (!time_)
            time_.emplace(recorded_);
        auto const had = [&](std::int64_t from_ns, std::int64_t to_ns) {
            return to_real(time_->between(from_ns, to_ns)).ns;
        };
        return had(0, recorded_.length.ns) < most_of_recording * to_real(recorded_.length).ns &&
               had(wait.wall_ns, satisfied_ns) < surely_earlier * static_cast<double>(limit_ns);
    }

    // A poll for what another thread writes has no step of its own: the read that follows waits.
    bool is_satisfied(Event const& event, EventReference reference) const {
        return has_what_it_waits_for(event, plan_.step(reference)) ||
               (event.outcome == Outcome::done &&
                std::ranges::binary_search(plan_.channel_events, reference));
    }

    Timeline const& recorded_;
    Plan& plan_;
    std::optional<ProgramTime> time_;
};

}  // namespace

void drop_late_timeouts(Timeline const& recorded, Plan& plan) {
    LateTimeouts late(recorded, plan);
    for (std::size_t thread = 0; thread < recorded.events.size(); ++thread)
        if (plan.kinds[thread].intersects(nap_kinds))
            late.drop_those_of(ThreadId(thread));
}

}  // namespace parcast::extract
