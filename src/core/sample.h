// Mean and deviation of values that are given one by one (Welford 1962): nothing cancels, as it would in a
// sum of squares.

#pragma once

#include <cmath>
#include <cstdint>

namespace parcast {

class Sample {
public:
    void add(double value) {
        ++count_;
        double const before = value - mean_;
        mean_ += before / static_cast<double>(count_);
        squares_ += before * (value - mean_);
    }

    void add(Sample const& other) {
        if (other.count_ == 0)
            return;
        auto const mine = static_cast<double>(count_);
        auto const theirs = static_cast<double>(other.count_);
        double const apart = other.mean_ - mean_;
        count_ += other.count_;
        mean_ += apart * theirs / (mine + theirs);
        squares_ += other.squares_ + apart * apart * mine * theirs / (mine + theirs);
    }

    std::int64_t count() const { return count_; }
    double mean() const { return mean_; }
    double sum() const { return mean_ * static_cast<double>(count_); }
    // With n - 1; 0 for fewer than two values.
    double variance() const { return count_ > 1 ? squares_ / static_cast<double>(count_ - 1) : 0; }
    double deviation() const { return std::sqrt(variance()); }
    // Coefficient of variation: deviation by mean; 0 where the mean is.
    double cv() const { return mean_ != 0 ? deviation() / mean_ : 0; }

private:
    std::int64_t count_ = 0;
    double mean_ = 0;
    double squares_ = 0;
};

}  // namespace parcast
