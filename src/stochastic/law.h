// A law that has given moments: what maxima, quantiles and random times are taken from. In this order:
//
//    single value          no variance
//    exponential, shifted  skewness 2 and kurtosis 9 but for a thousandth; the maximum of any number is exact
//    generalised lambda    wherever it reaches (lambda_shape.h)
//    two points            on the boundary kurtosis = skewness^2 + 1, and the nearest two where no law exists
//    gamma                 on the line kurtosis = 3 + 1.5 skewness^2, but for rounding
//    four-parameter beta   below the gamma line
//    generalised Pareto    between gamma and lambda, which only skewness above 2 has; matches three
//                          moments only (two where the skewness is above 6.3)
//
// Negative skewness: the mirror image.

#pragma once

#include <optional>
#include <string_view>

#include "core/moments.h"
#include "stochastic/lambda_shape.h"

namespace parcast::stochastic {

enum class LawKind : unsigned char { single_value, exponential, lambda, two_points, gamma, beta, pareto };

class Law {
public:
    // Fits; some 10 us where it is a generalised lambda distribution. Moments that no law has (attainable())
    // are fitted by the two points nearest to them, and matches_all() says no. REQUIRES: finite moments.
    static Law fitted_to(Moments const& moments);

    // The gamma or beta law with these moments, also where a generalised lambda law has them: that has other
    // tails, which maxima of many show (the variance of the maximum of a thousand Erlang times was 18 % too
    // small). None: neither law has them, or one that is as exact does (exponential, uniform, two points);
    // and of what is nearly normal, shapes of a thousand and more together, where maxima are those of the
    // paper.
    static std::optional<Law> gamma_or_beta(Moments const& moments);

    LawKind kind() const { return kind_; }
    std::string_view name() const;                     // "generalised lambda distribution"
    bool matches_all() const { return matches_all_; }  // all four moments

    // The value that a fraction `lower` of the outcomes stays below; `upper` = 1 - lower, given apart because
    // it keeps its digits near 1. May be infinite at 0 and 1. REQUIRES: both in [0, 1].
    double quantile(double lower, double upper) const;
    double quantile(double lower) const { return quantile(lower, 1 - lower); }

    // The probability of outcomes up to `value`: the inverse of quantile().
    double cumulative(double value) const;

    // Whether quantiles may be nearly a step, so that the law is better known by its distribution function:
    // between ends that practically no outcome passes.
    bool has_ends() const { return kind_ == LawKind::gamma || kind_ == LawKind::beta; }
    double low_end() const;
    double high_end() const;

    // The greatest of `count` independent outcomes. REQUIRES: count >= 1.
    Moments maximum_of(double count) const;

private:
    friend class LawCumulative;
    Law() = default;
    static Law two_points(Moments const& moments, bool matches_all);
    static Law lambda(LawKind kind, double w, double c, Moments const& moments, bool matches_all);
    static Law gamma(double shape, Moments const& moments);
    static Law beta(double a, double b, Moments const& moments);

    LawKind kind_ = LawKind::single_value;
    bool matches_all_ = true;
    double location_ = 0;      // the value; z = 0; the lower point; the lower end
    double scale_ = 0;         // of z; between the points; of gamma, negative if mirrored; between the ends
    double first_shape_ = 0;   // w; the probability of the higher point; gamma's; a
    double second_shape_ = 0;  // c; -; -; b
};

// The distribution function of a law, for many values: it remembers where it found the last one.
class LawCumulative {
public:
    explicit LawCumulative(Law const& law);
    double operator()(double value);

private:
    Law law_;
    LambdaCumulative lambda_;
};

}  // namespace parcast::stochastic
