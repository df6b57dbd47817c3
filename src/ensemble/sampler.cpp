#include "ensemble/sampler.h"

namespace parcast::ensemble {

Sampler::Sampler(Moments const& moments) : moments_(moments), law_(stochastic::Law::fitted_to(moments)) {
    if (law_.kind() == stochastic::LawKind::single_value) {
        least_ = moments.mean;
    } else if (law_.kind() == stochastic::LawKind::exponential && moments.skewness > 0) {
        form_ = Form::exponential;
        scale_ = std::sqrt(moments.variance);
        least_ = moments.mean - scale_;
    } else if (moments.skewness == 0 && moments.kurtosis == 1.8) {
        form_ = Form::uniform;
        scale_ = std::sqrt(12 * moments.variance);
        least_ = moments.mean - scale_ / 2;
    } else {
        form_ = Form::other;
    }
}

double Sampler::greatest(double count, RandomStream& random) const {
    double const logarithm = std::log(random.unit()) / count;
    double const upper = -std::expm1(logarithm);
    return form_ == Form::other ? law_.quantile(std::exp(logarithm), upper) : at(upper);
}

}  // namespace parcast::ensemble
