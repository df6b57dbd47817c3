// A random quantity as its first four moments: mean, variance, skewness, kurtosis (of a normal law: 3). What
// is done here is exact: sums, random sums, scalings and mixtures of independent quantities compose by their
// cumulants. Maxima need a law: stochastic/maximum.h.
//
// Source: Gautama and van Gemund, "Symbolic Performance Prediction of Data-Dependent Parallel Programs", eqs
// 2 to 8; equation 7 without its misprint.

#pragma once

namespace parcast {

// A deterministic quantity has (value, 0, 0, 3). May be formal: no law need have these moments (see
// attainable()).
struct Moments {
    double mean = 0;
    double variance = 0;
    double skewness = 0;
    double kurtosis = 3;
    friend bool operator==(Moments const&, Moments const&) = default;
};

// First to fourth cumulant: of a sum of independent quantities, the sum of theirs.
struct Cumulants {
    double first = 0;
    double second = 0;
    double third = 0;
    double fourth = 0;
};

Moments deterministic(double value);
Cumulants cumulants_of(Moments const& moments);
Moments moments_of(Cumulants const& cumulants);  // a variance of 0 or less: deterministic

// Whether a law with these moments exists: variance >= 0 and kurtosis >= skewness^2 + 1 (but for rounding).
bool attainable(Moments const& moments);

Moments operator+(Moments const& left, Moments const& right);  // independent

// factor * X: one quantity, scaled. Not the sum of `factor` independent ones.
Moments scaled(double factor, Moments const& moments);

// X_1 + ... + X_count, all independent, also of the count (eqs 3 to 7). The count may be fractional: then it
// is a formal count. A count with a mean of 0 or less gives 0.
Moments repeated(Moments const& count, Moments const& each);

// `then` with a probability, else `otherwise`: a mixture of raw moments; exact.
// REQUIRES: 0 <= probability <= 1.
Moments mixture(double probability, Moments const& then, Moments const& otherwise);

// A stochastic condition that holds for a fraction `condition` of an invocation (eq 8): by cumulants; equals
// mixture() where the condition is true with probability p: (p, p (1 - p), ...).
Moments branch(Moments const& condition, Moments const& then, Moments const& otherwise);

// What a mean, or another moment, lies within with the confidence that its maker states.
struct ConfidenceInterval {
    double low = 0;
    double high = 0;

    double half_width() const { return (high - low) / 2; }
};

}  // namespace parcast
