#include "ensemble/moments_text.h"

#include <cstdio>

namespace parcast::ensemble {

std::string moments_text(Moments const& moments) {
    char text[128];
    std::snprintf(text, sizeof text, "moments(%.4g, %.4g, %.4g, %.4g)", moments.mean, moments.variance,
                  moments.skewness, moments.kurtosis);
    return text;
}

}  // namespace parcast::ensemble
