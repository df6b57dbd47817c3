// All that findings and tables need of the events of a recording, by one pass over them: what a recording of
// a hundred million events says about itself without lying in memory.

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "analysis/function_profiler.h"
#include "analysis/futex_use.h"
#include "analysis/hidden_hand_outs.h"
#include "analysis/profile.h"
#include "analysis/spinning.h"
#include "analysis/spins_before_waits.h"
#include "analysis/timed_teams.h"
#include "analysis/uneven_phases.h"
#include "analysis/uneven_regions.h"
#include "timeline/recording_cost.h"
#include "timeline/timeline.h"

namespace parcast::analysis {

struct Survey {
    Profile profile;
    std::vector<Spinning> spinning;
    std::vector<UnevenTeam> uneven_teams;
    std::vector<UnevenPhases> uneven_phases;
    std::optional<UnevenRegions> uneven_regions;
    std::vector<TimedTeam> timed_teams;
    std::vector<FutexUse> futexes;  // most waiting first
    double recording_cost_ns = 0;
    std::int64_t file_ns = 0;         // CPU time in calls that work on files
    std::int64_t inside_ns = 0;       // in all recorded calls
    bool has_calls = false;           // beyond the begins and ends of threads
    std::int64_t children = 0;        // processes that it started, but those of vfork, which leaves no event
    bool waits_for_children = false;  // so it has some
    Duration waited_for_children;     // by all threads

    Duration cpu() const;  // of all threads
};

// Takes the events as an EventSink does. Memory: O(threads + objects), rounds of barriers, some 20 MB for
// parallel regions at most, and what is found.
class Surveyor {
public:
    // Looks at all of `recorded` but its events.
    explicit Surveyor(Timeline const& recorded);

    void add(ThreadId thread, std::span<Event const> events);
    void add_shares(std::span<WorkShare const> shares);
    // After the last event.
    Survey finish(Catalogue const& catalogue);

private:
    void add(Event const& event);
    void count_children(Event const& event);
    void end_thread();

    Provenance const provenance_;
    RecordingPrices const prices_;
    ThreadId thread_;
    Profiler profiler_;
    SpinningSearch spinning_;
    SpinBeforeWaitSearch spins_before_waits_;
    HandOutSearch hand_outs_;
    UnevenPhaseSearch phases_;
    UnevenRegionSearch regions_;
    TimedTeamSearch timed_teams_;
    FutexUseSearch futexes_;
    FunctionProfiler functions_;
    Survey survey_;
};

// With its events.
Survey survey(Timeline const& recorded);

}  // namespace parcast::analysis
