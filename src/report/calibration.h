// What `parcast calibrate` measured, ready to be said as text or JSON. Nothing here is computed by the
// report: the command fills it in.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/time.h"

namespace parcast::report {

struct CalibratedValue {
    std::string key;       // in [calibration.values] of the machine file
    std::string title;     // what it is, for people
    std::string method;    // how it was measured, a phrase
    bool is_rate = false;  // relative to one CPU alone; else nanoseconds
    double median = 0;
    double low = 0;  // lower quartile
    double high = 0;
    std::int64_t samples = 0;
};

// A parameter of the machine that follows from the values: "wake_waiter_ns", 8460.
struct MachineParameter {
    std::string key;
    std::int64_t ns = 0;
};

struct CalibrationReport {
    std::string host;
    std::string processor;           // its model; empty if unknown
    std::vector<unsigned> cpus;      // measured on, in the order in which they were made busy
    std::string date;                // ISO 8601
    Duration wall;                   // that the measurement took
    unsigned rounds = 0;             // whose samples count
    unsigned disturbed_rounds = 0;   // left out
    std::vector<std::string> notes;  // sentences on what may have disturbed the measurement
    std::vector<CalibratedValue> values;
    std::vector<MachineParameter> costs;
    std::vector<double> compute_rates;  // of 1, 2, ... busy CPUs
    std::vector<double> memory_rates;
    std::optional<std::string> file;         // the machine file written
    std::optional<std::string> former_file;  // where the one of that name went
};

}  // namespace parcast::report
