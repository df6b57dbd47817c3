// Mean and variance of the maximum of independent times that are exponential or gamma distributed: what a
// parallel phase takes in the theory of Mak and Lundstrom.

#pragma once

#include <vector>

namespace parcast::model {

// A time by its first two moments. Zero variance is a constant time; mean^2 an exponential one.
struct Time {
    double mean = 0;
    double variance = 0;
};

inline Time exponential(double mean) {
    return {mean, mean * mean};
}

// For gamma distributed times of these moments: exponential ones are exact. By quadrature, to about 1e-11 of
// the mean. Cost: time of some hundred distribution functions for each different time. REQUIRES: at least
// one.
Time maximum(std::vector<Time> const& times);
double mean_of_maximum(std::vector<Time> const& times);  // alone, in half the time

}  // namespace parcast::model
