// parcast calibrate: measures this machine, and writes a machine file for predictions.

#pragma once

#include <optional>
#include <string>

namespace parcast::cli {

class OptionTable;

struct CalibrateArguments {
    std::optional<std::string> output;  // absent: the host's own machine file
    unsigned seconds = 20;              // that the measurement may take
    bool dry_run = false;               // writes no file
    bool json = false;
};

void describe_options(OptionTable& options, CalibrateArguments& arguments);

// Returns an exit status.
int calibrate(CalibrateArguments const& arguments);

}  // namespace parcast::cli
