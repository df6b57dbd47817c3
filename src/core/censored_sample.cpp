#include "core/censored_sample.h"

#include <algorithm>
#include <cmath>

namespace parcast {

void CensoredSample::add(double value) {
    values_.push_back({value, false});
    ++complete_;
}

void CensoredSample::add_cut_off(double value) {
    values_.push_back({value, true});
}

void CensoredSample::add(CensoredSample const& other) {
    values_.insert(values_.end(), other.values_.begin(), other.values_.end());
    complete_ += other.complete_;
}

CensoredSample::Moments CensoredSample::moments() const {
    auto values = values_;
    std::ranges::sort(values);
    double longer = 1;  // S, right of `until`
    double until = 0;
    double mean = 0;
    double square = 0;
    auto left = static_cast<double>(values.size());
    for (auto const& [value, is_cut_off] : values) {
        mean += longer * (value - until);
        square += longer * (value - until) * (value + until);
        until = value;
        if (!is_cut_off)
            longer *= 1 - 1 / left;
        --left;
    }
    bool const is_open = values.back().is_cut_off && until > 0;
    if (is_open) {
        double const beyond = until / -std::log(longer);  // mean of what is longer, above `until`
        mean += longer * beyond;
        square += 2 * longer * beyond * (until + beyond);
    }
    double const known = static_cast<double>(complete_);
    double const variance = std::max(0.0, square - mean * mean) * (complete_ > 1 ? known / (known - 1) : 1);
    return {mean, mean > 0 ? std::sqrt(variance) / mean : 0};
}

}  // namespace parcast
