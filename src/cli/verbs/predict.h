// parcast predict FILE: how long a recorded program takes on other numbers of CPUs, and why; how long a task
// graph takes under a schedule; the moments of the time of a model in the PAMELA language.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "answer/question.h"
#include "cli/files/inputs.h"
#include "machine/ready_policy.h"
#include "machine/schedulers.h"
#include "machine/team_waiting.h"

namespace parcast::cli {

// An input, what is asked of it, and on which machine: what `predict`, `view`, `report`, `export` and `scale`
// share.
struct PredictArguments {
    std::string file;
    std::vector<std::string> more_files;             // message programs that run beside it
    TaskGraphReading reading;                        // task graphs; `set` is for models, too
    Question question;                               // its cpus and workers come from the next two
    std::optional<std::vector<std::uint32_t>> cpus;  // absent: the machine file's, or a usual list
    std::optional<unsigned> jobs;                    // absent: as many as this machine has CPUs
    std::optional<SchedulerNumber> scheduler;        // absent: usual_scheduler
    std::optional<WaitPolicy> waiting;               // absent: the recorded run's, else the machine's
    std::optional<std::uint32_t> lwps;               // absent: the machine's
    std::optional<std::int64_t> event_delay_ns;      // of `bind`; absent: the machine's
    std::optional<std::string> machine_file;         // "default": none, not the host's own either
    std::optional<std::string> memory;   // file or preset of what is shared; absent: the machine's
    std::optional<double> flops_per_ns;  // message programs that count flops; absent: 1
    std::optional<std::string> place;    // of ranks: packed, round-robin or a file; absent: packed
    std::optional<std::string> plan;     // for threads, a file; absent: as the program has them
    std::optional<std::string> network;  // preset, values or file; absent: the machine's
    std::optional<Retire> retire;        // task graphs; absent: the machine's
    std::vector<double> overhead_ns;     // of taking a task from a shared queue; empty: the machine's
    std::optional<std::string> plot;     // a file; models
    bool force = false;                  // replace an existing one
    bool as_on_every_host = false;       // wake-ups are not those of the recording's host
    bool threads_table = false;
    bool ranks_table = false;
    bool assumptions = false;
    bool json = false;

    friend bool operator==(PredictArguments const&, PredictArguments const&) = default;
};

}  // namespace parcast::cli
