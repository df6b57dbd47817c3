// What a mean, or another moment, lies within with the confidence that its maker states.

#pragma once

namespace parcast {

struct ConfidenceInterval {
    double low = 0;
    double high = 0;

    double half_width() const { return (high - low) / 2; }
};

}  // namespace parcast
