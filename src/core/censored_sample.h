// Mean and variation of durations of which some were cut off: of those it is only known that they would have
// been longer. Leaving them out makes the rest look short (the longer a duration, the sooner it is cut off).
//
// The share S(t) of durations longer than t is the product-limit estimate (Kaplan and Meier 1958), and the
// moments are E[P] = integral of S, E[P^2] = integral of 2 t S. Where the longest value is a cut off one, S
// goes on from there as the exponential law through S = 1 at 0 (Brown, Hollander and Korwar 1974).
//
// Assumes: where a duration is cut off says nothing of how long it would have been.

#pragma once

#include <cstdint>
#include <vector>

namespace parcast {

class CensoredSample {
public:
    // REQUIRES: values are finite and >= 0.
    void add(double value);
    void add_cut_off(double value);
    void add(CensoredSample const& other);

    std::int64_t count() const { return complete_; }  // of whole ones

    struct Moments {
        double mean = 0;
        double cv = 0;  // deviation (with n - 1 of n whole ones) by mean; 0 where that is
    };
    // REQUIRES: count() > 0. Cost: time n log n.
    Moments moments() const;

private:
    struct Value {
        double value = 0;
        bool is_cut_off = false;
        // Among equal ones the whole ones first: one that was cut off here would have been longer.
        friend auto operator<=>(Value const&, Value const&) = default;
    };

    std::vector<Value> values_;
    std::int64_t complete_ = 0;
};

}  // namespace parcast
