// What `parcast predict` found out, ready to be said as text or JSON. Nothing here is computed by the
// report: the command fills it in from simulate and analysis.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analysis/bounds.h"
#include "analysis/findings.h"
#include "analysis/limits.h"
#include "analysis/scaling.h"
#include "core/catalogue.h"
#include "timeline/provenance.h"
#include "timeline/run.h"

namespace parcast::report {

// The replay on one number of CPUs. With a deadlock there is no prediction: only cpus and deadlock count.
struct PredictedRun {
    std::uint32_t cpus = 1;
    std::optional<Deadlock> deadlock;
    Accounts accounts;
    double speed_up = 1;
    double efficiency = 1;
    analysis::SpeedUpBounds bounds;
    std::vector<analysis::Limit> limits;
    std::optional<analysis::BusiestThread> busiest;
};

// Where the values of a machine come from.
struct MachineSource {
    std::string file;
    std::string host;  // where they were measured, and when; empty: by nobody
    std::string date;
};

struct Prediction {
    std::string file;
    Provenance provenance;  // of the recording
    Catalogue catalogue;    // of the program, names every id below
    std::vector<analysis::Finding> findings;
    std::vector<std::string> assumptions;  // of the extraction, sentences
    std::string machine;                   // its name
    std::string scheduler;                 // its name
    std::string lock_policy;               // its name, as in a machine file
    std::vector<std::pair<std::string, std::int64_t>>
        machine_parameters;                       // "slice_ns": value, units in the names
    std::optional<MachineSource> machine_source;  // none: parcast's own values
    std::vector<double> speeds;                   // speeds[k - 1]: of each of k busy CPUs; empty: all 1
    double memory_share = 0;                      // of the work, by the machine's rates
    std::vector<std::string> machine_notes;       // what to know about it, sentences
    Duration work;                                // CPU time that is replayed, but for the price of turns
    Duration turns{0};                            // taken out of it, and charged by the replay turn by turn
    analysis::Span span;
    std::optional<Duration> time_on_one;  // predicted; none: the replay on one CPU deadlocks
    std::string model = "direct";         // or "strict": simulate::Pairing
    std::vector<PredictedRun> abandoned;  // deadlocks of the direct model, if these runs replaced it
    std::vector<ObjectId>
        paired;  // conditions of the direct model whose waits get what the recording gave them
    std::vector<PredictedRun> runs;  // in rising number of CPUs
    analysis::Scaling scaling;       // of the runs that ended
};

}  // namespace parcast::report
