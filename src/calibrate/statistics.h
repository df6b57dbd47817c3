// What a set of repeated measurements says: its median, and how far half of the samples lie apart.
// Quartiles instead of extremes: a machine that is not alone has a few samples that are off by any amount,
// and their size says nothing about the quantity.

#pragma once

#include <cstddef>
#include <vector>

namespace parcast::calibrate {

// In the unit of the samples.
struct Summary {
    double median = 0;
    double low = 0;   // lower quartile
    double high = 0;  // upper quartile
    std::size_t samples = 0;

    friend bool operator==(Summary const&, Summary const&) = default;
};

// Quantiles interpolate linearly between the order statistics (Hyndman & Fan 1996, definition 7).
// REQUIRES: finite samples, at least one.
Summary summarize(std::vector<double> samples);

// The value that `share` (0..1) of the samples do not exceed, interpolated alike.
// REQUIRES: finite samples, at least one.
double quantile_of(std::vector<double> samples, double share);

}  // namespace parcast::calibrate
