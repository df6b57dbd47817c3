// Lower terms and a power, such as c P + d P^n: for each n a sum, and of all n the best. The interval of n is
// that of the profile: those n with which the fit is not worse than Student's law allows.

#pragma once

#include <optional>
#include <vector>

#include "core/moments.h"
#include "model/events_threads/sum_fit.h"

namespace parcast::model {

class PowerBeside {
public:
    struct Found {
        double exponent = 0;
        SumFit sum;  // the power's coefficient is the last
    };

    // The power's exponent is not looked for below `least`, where it would be one of the lower terms. Keeps
    // the loan of the counts.
    PowerBeside(Counts counts, Columns lower, double least);

    // None: no power that grows fits.
    std::optional<Found> find() const;

    // None: no freedom is left beside the coefficients and the exponent.
    std::optional<ConfidenceInterval> interval(Found const& found) const;

    Columns terms_of(double exponent) const;

private:
    static constexpr double most_exponent = 6;

    double squares(double exponent) const;
    double nearest_simple(double found) const;
    double end(double best, double last, double allowed) const;

    Counts counts_;
    Columns lower_;
    double least_;
    std::vector<double> logarithms_;
};

}  // namespace parcast::model
