// An axis of a chart: where a value lies on it, and which values get a line and a number.

#pragma once

#include <string>
#include <vector>

namespace parcast::report {

class ChartAxis {
public:
    // From the least to the greatest of the values, rounded to ticks; linear ones from 0 where that costs
    // little of the height. Logarithmic only where all values are above 0. Values that are not finite do not
    // count.
    static ChartAxis of(std::vector<double> const& values, bool logarithmic, bool with_margin);

    double place(double value) const;  // 0 to 1
    std::vector<double> const& ticks() const { return ticks_; }
    std::string label(double tick) const;
    bool is_logarithmic() const { return logarithmic_; }

private:
    void set_linear_ticks(bool with_margin);
    void set_logarithmic_ticks(bool with_margin);

    bool logarithmic_ = false;
    double low_ = 0;
    double high_ = 1;
    int decimals_ = 0;
    std::vector<double> ticks_;
};

}  // namespace parcast::report
