// What is known of errors that no replay shows: by how much a time may be off, by cause. docs/trust.md tells
// where each number comes from.

#pragma once

#include <array>

#include "answer/answer.h"
#include "answer/range.h"
#include "machine/machine.h"

namespace parcast::forecast {

inline constexpr double from_bound_to_deviation = 1 / 1.645;  // of which nine of ten lie within a bound

// Of the logarithm of a number, by cause.
using Variances = std::array<double, uncertainties>;

inline double& of(Variances& variances, Uncertainty uncertainty) {
    return variances[static_cast<std::size_t>(uncertainty)];
}

struct KnownErrors {
    Variances either_way{};
    Variances worse{};   // the time is longer, the speed-up less; beside the others
    Variances better{};  // the time is shorter, the speed-up more; likewise
};

// Of the time. `busy`: so many CPUs, in the mean.
KnownErrors known_errors(Answer const& answer, Machine const& machine, Row const& row, double busy);

// Of the speed-up.
KnownErrors known_errors_of_speed_up(Answer const& answer, Machine const& machine, Row const& row);

// How sure the time after a change is, as a share (`left`) of the time before. Both times come from one
// recording, so errors that lengthen both alike cancel. Speed and memory cancel but for the CPUs that are
// busy only after the change; of the other errors as much is left as the change takes off.
KnownErrors known_errors_of_change(Answer const& answer, Machine const& machine, Row const& row, double left);

double mean_busy(Row const& row);

}  // namespace parcast::forecast
