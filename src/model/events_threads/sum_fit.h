// A sum of terms that is nearest to counted events: g(P) = sum of coefficients times terms, such as c + d P.
//
// Assumption: errors of counts are relative (log-normal), so that nearest means the least squares of ln(E /
// g). Cost: some passes over the counts, and no more than 50.

#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace parcast::model {

struct EventCount {
    double threads = 1;  // P
    double events = 0;   // E, above 0
};
using Counts = std::span<EventCount const>;

using Coefficients = std::vector<double>;
using Columns = std::vector<std::vector<double>>;  // one a coefficient, with a row a count

// A column of f(P) for each count.
std::vector<double> column_of(Counts counts, double (*function)(double));

struct SumFit {
    Coefficients coefficients;
    std::vector<double> inverses;   // 1 / g at each count
    std::vector<double> residuals;  // ln(E / g)
    double squares = 0;             // of the residuals, summed
};

// The least relative errors (E - g) / E, which is linear. None: the sum is not above 0 at all counts, or the
// terms depend on each other.
std::optional<SumFit> sum_of_least_errors(Counts counts, Columns const& terms);

// The least squares of ln(E / g): Gauss and Newton, from the least relative errors. None: as above.
std::optional<SumFit> fit_sum(Counts counts, Columns const& terms);

double sum_of_squares(std::vector<double> const& values);

// With as many digits as mean something, so that 2 is not written as 1.9999999999999998.
double ten_digits(double number);

// No relative deviation is believed to be smaller: counts are whole.
inline constexpr double believed_deviation = 1e-4;

// The variance of residuals with so many degrees of freedom; no smaller than what is believed.
double variance_of(double squares, std::size_t freedom);

}  // namespace parcast::model
