// Where a machine's values come from: when and on which host they were measured, and how far each of them
// spread. Kept with the machine, and shown; no predicted number depends on it, only how sure it is.

#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace parcast {

// One measured quantity, in the unit that its name says ("wake_up_ns"; rates have none).
struct MeasuredValue {
    double median = 0;
    double low = 0;
    double high = 0;
    std::int64_t samples = 0;
    friend bool operator==(MeasuredValue const&, MeasuredValue const&) = default;
};

struct Calibration {
    std::string date;                // ISO 8601
    std::string host;                // its name
    std::string processor;           // its model
    std::string parcast;             // the version that measured
    std::string range;               // what low and high are: "quartiles"
    std::vector<std::string> notes;  // sentences on what may have disturbed the measurement
    std::map<std::string, MeasuredValue> values;
    friend bool operator==(Calibration const&, Calibration const&) = default;
};

}  // namespace parcast
