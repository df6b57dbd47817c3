#include "model/events_threads/over_threads.h"

#include <algorithm>
#include <cmath>

#include <boost/math/distributions/students_t.hpp>

#include "core/sample.h"

namespace parcast::model {

double student_95(double freedom) {
    return boost::math::quantile(boost::math::students_t(freedom), 0.975);
}

OverThreads over_threads(std::span<double const> values) {
    if (values.empty())
        return {};
    Sample sample;
    for (double const value : values)
        sample.add(value);
    auto const [least, most] = std::ranges::minmax(values);
    OverThreads over{.mean = sample.mean(), .ci95 = {}, .least = least, .most = most, .count = values.size()};
    if (values.size() > 1) {
        auto const count = static_cast<double>(values.size());
        over.ci95 = student_95(count - 1) * sample.deviation() / std::sqrt(count);
    }
    return over;
}

}  // namespace parcast::model
