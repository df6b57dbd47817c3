// How random delays spread the time between synchronisations.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace parcast {

// Times in ns of a recording, otherwise in the unit of the command line.
struct MeanAndCv {
    double mean = 0;
    double cv = 0;
};

struct VarianceInput {
    double cpu = 0;  // of an interval between two synchronisations
    MeanAndCv processing;
    MeanAndCv delay;
};

// One way to compute it.
struct VarianceMethod {
    std::string key;    // "exact_gamma"
    std::string title;  // "exact, gamma"
    double delays = 0;  // in an interval
    MeanAndCv time;
    double low = 0;  // of the band in which a normal time lies with the report's confidence
    double high = 0;
};

struct VarianceThread {
    std::uint32_t id = 0;
    std::string name;
    std::int64_t intervals = 0;  // between synchronisations, in all recordings
    std::int64_t delays = 0;
    double cpu_cv = 0;  // the theory takes it as 0
    VarianceInput input;
    std::vector<VarianceMethod> methods;   // the first is the best
    std::optional<double> standard_error;  // of the predicted mean; none of a single delay
    MeanAndCv measured;                    // time of an interval
};

// All threads with delays, all their intervals: over the recordings, and as predicted for one.
struct VarianceOfRuns {
    std::uint32_t runs = 0;
    MeanAndCv cpu;
    MeanAndCv delays;
    MeanAndCv measured;
    double predicted_cv = 0;  // by delays alone
};

struct VarianceAnswer {
    double confidence = 95;  // per cent
    std::vector<std::string> notes;
    std::optional<VarianceInput> given;   // on the command line
    std::vector<VarianceMethod> methods;  // of what was given
    std::vector<std::string> files;       // or these
    std::vector<VarianceThread> threads;
    std::optional<VarianceOfRuns> runs;  // of two and more recordings
};

}  // namespace parcast
