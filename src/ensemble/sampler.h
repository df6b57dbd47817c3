// Draws from the law that is fitted to given moments.

#pragma once

#include <cmath>

#include "ensemble/random_stream.h"
#include "stochastic/law.h"

namespace parcast::ensemble {

class Sampler {
public:
    explicit Sampler(Moments const& moments);

    double draw(RandomStream& random) const { return at(random.unit()); }
    // The greatest of `count` independent draws, as one draw: the root of a uniform number is the greatest of
    // them.
    double greatest(double count, RandomStream& random) const;

    bool matches_all() const { return law_.matches_all(); }
    Moments const& moments() const { return moments_; }

private:
    enum class Form : unsigned char { constant, uniform, exponential, other };

    double at(double upper) const {
        switch (form_) {
            case Form::constant: return least_;
            case Form::uniform: return least_ + scale_ * (1 - upper);
            case Form::exponential: return least_ - scale_ * std::log(upper);
            case Form::other: break;
        }
        return law_.quantile(1 - upper, upper);
    }

    Form form_ = Form::constant;
    double least_ = 0;  // of a constant, a uniform and an exponential time
    double scale_ = 0;
    Moments moments_;
    stochastic::Law law_;
};

}  // namespace parcast::ensemble
