// The options of `parcast predict` that are for models in the PAMELA language.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/sweep.h"
#include "report/model_prediction.h"

namespace parcast::cli {

struct SimulationArguments {
    std::optional<std::uint32_t> runs;  // exactly; absent: until the mean is as precise
    std::optional<double> precision;    // half of the mean's 95 % interval, per cent of it; absent: 1
    std::optional<std::uint64_t> seed;
};

struct ModelArguments {
    std::vector<Sweep> sweeps;
    std::optional<std::vector<double>> levels;  // of quantiles, per cent
    std::optional<report::ModelMethod> method;
    std::optional<std::string> of;    // a process or an equation; absent: main
    std::optional<std::string> per;   // a parameter that times are divided by
    std::optional<std::string> plot;  // a file
    bool band = false;                // what a picture needs, as with `plot`
    SimulationArguments simulation;
    bool phases = false;
    bool sensitivity = false;
};

}  // namespace parcast::cli
