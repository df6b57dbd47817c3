// What a calibration measured, and the machine that follows from it.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/time.h"
#include "machine/block_costs.h"
#include "machine/machine.h"

namespace parcast {

struct CalibratedValue {
    std::string key;       // in [calibration.values] of the machine file
    std::string title;     // what it is, for people
    std::string method;    // how it was measured, a phrase
    bool is_rate = false;  // relative to one CPU alone; else nanoseconds
    MeasuredValue value;   // low and high are quartiles
};

struct CalibrationAnswer {
    // With its calibration: host, date, and notes on what disturbed it. Of operations on blocks, only these.
    Machine machine;
    std::vector<unsigned> cpus;     // measured on, in the order in which they were made busy
    Duration wall;                  // that the measurement took
    unsigned rounds = 0;            // whose samples count
    unsigned disturbed_rounds = 0;  // left out
    bool is_doubtful = false;       // others disturbed all of it, or all samples of a speed
    std::vector<CalibratedValue> values;
    std::optional<BlockCosts> block_costs;   // what was measured instead of the machine
    std::optional<std::string> file;         // written: the machine file, or that of the costs
    std::optional<std::string> former_file;  // where the one of that name went
};

}  // namespace parcast
