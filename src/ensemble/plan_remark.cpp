#include "ensemble/plan_remark.h"

#include <cstdio>

#include "core/three_digits.h"

namespace parcast::ensemble {

std::string text_of(Remark const& remark) {
    auto const mean = three_digits(remark.about.mean);
    auto const rounded =
        std::string("their number is rounded up or down at random, so that its mean is right");
    switch (remark.kind) {
        case RemarkKind::negative_time: return "a time of " + mean + " is taken as 0";
        case RemarkKind::no_probability:
            return "a condition has the mean " + mean +
                   ", which is no probability: it cannot be simulated one by one";
        case RemarkKind::unlike_variance:
            return "the condition " + moments_text(remark.about) + " is true with probability " + mean +
                   " at each turn: its variance is then " +
                   three_digits(remark.about.mean * (1 - remark.about.mean)) + ", not as the model says";
        case RemarkKind::turns_rounded: return "a loop has " + mean + " turns: " + rounded;
        case RemarkKind::branches_rounded:
            return "a parallel composition has " + mean + " branches: " + rounded;
        case RemarkKind::random_branches:
            return "a parallel composition has a random number of branches: each run draws it";
    }
    return {};
}

std::string moments_text(Moments const& moments) {
    char text[128];
    std::snprintf(text, sizeof text, "moments(%.4g, %.4g, %.4g, %.4g)", moments.mean, moments.variance,
                  moments.skewness, moments.kurtosis);
    return text;
}

}  // namespace parcast::ensemble
