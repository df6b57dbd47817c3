// Does a program scale as predicted? A recording of it for each count of CPUs, a forecast from each, and the
// same runs measured where this machine has the CPUs.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "answer/cpu_times.h"
#include "answer/question.h"
#include "answer/scale.h"
#include "core/notice.h"
#include "core/result.h"
#include "core/time.h"
#include "forecast/target.h"

namespace parcast::study {

struct ScaleQuestion {
    std::vector<std::string> command;  // {cpus} stands for the number of CPUs
    std::vector<std::uint32_t> cpus{1, 2, 4, 8};
    unsigned runs = 5;  // of each measurement
    bool measure = false;
    bool bare_runs = true;              // the program also runs unrecorded, to see what turns and events cost
    std::optional<std::string> before;  // a shell command, before each run
    std::optional<std::string> keep;    // a folder for the recordings
    Duration time_limit{600'000'000'000};          // of each run
    std::optional<CpuTimes> cpu_times_there = {};  // of another host

    friend bool operator==(ScaleQuestion const&, ScaleQuestion const&) = default;
};

// How the recordings are replayed.
struct Forecasting {
    forecast::TargetMachine machine;
    Question question;            // its cpus are those of ScaleQuestion
    std::string parcast_version;  // for the recordings
};

// A signal that measure::EndingSignals of the caller hold back ends it early: the answer then has the counts
// that are complete, and no measurements if these are not.
// Errors: those of record::run_recorded; program_failed (a run, or the command before it), not_written (a
// recording to keep), those of the forecast.
Result<ScaleAnswer> scale(ScaleQuestion const& question, Forecasting const& forecasting,
                          Listener const& tell);

}  // namespace parcast::study
