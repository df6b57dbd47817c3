// The dynamic analysis of one recording by the events/threads model: its events, work and data as they were
// recorded, and its times as they would be with a CPU for each thread.

#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "analysis/event_counts.h"
#include "analysis/event_times.h"
#include "answer/question.h"
#include "answer/signature.h"
#include "core/catalogue.h"
#include "core/result.h"
#include "core/time.h"
#include "forecast/target.h"
#include "timeline/accounts.h"
#include "timeline/timeline.h"

namespace parcast::forecast {

struct ThreadEventsQuestion {
    Duration same_event{0};
    std::optional<std::uint32_t> cpus;  // none: one for each thread
    ReplayQuestion replay;
    unsigned workers = 1;

    friend bool operator==(ThreadEventsQuestion const&, ThreadEventsQuestion const&) = default;
};

// From the events of a recording and the times of a run of it to the row of each thread, the totals and the
// profile. REQUIRES: counts, times and accounts of the same threads.
void add_run(RecordingSignature& signature, analysis::EventCounts const& counts,
             analysis::EventTimes const& times, Accounts const& accounts, Catalogue const& catalogue);

// What a recording alone says: the fields up to `notes`. Move it in: its events are freed while its program
// is made of them. Errors: inconsistent (no program), impossible (the replay deadlocks), those of the
// replays. Cost: as predict on one number of CPUs.
Result<RecordingSignature> signature_of_recording(std::string const& file, Timeline recorded,
                                                  TargetMachine const& target,
                                                  ThreadEventsQuestion const& question);

}  // namespace parcast::forecast
