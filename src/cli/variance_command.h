// parcast variance: how much random delays spread the time between two synchronisations, of numbers or of
// recordings.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/renewal/renewal.h"

namespace parcast::cli {

class OptionTable;
struct GivenOptions;

struct VarianceArguments {
    std::vector<std::string> files;  // or the three below
    std::optional<double> cpu_time;
    std::optional<model::RandomInterval> processing;
    std::optional<model::RandomInterval> delay;
    double confidence = 95;  // per cent
    bool all = false;
    bool json = false;

    friend bool operator==(VarianceArguments const&, VarianceArguments const&) = default;
};

void describe_options(OptionTable& options, VarianceArguments& arguments);

// Returns an exit status.
int variance(VarianceArguments const& arguments, GivenOptions const& given);

}  // namespace parcast::cli
