#include "core/percent_text.h"

#include <cmath>
#include <cstdio>

namespace parcast {

std::string percent_text(double share) {
    double const percent = share * 100;
    if (percent == 0.0)
        return "0 %";
    if (percent > 0 && percent < 0.05)
        return "<0.1 %";
    char text[400];  // the largest double has 309 digits
    std::snprintf(text, sizeof text, "%.*f %%", std::fabs(percent) < 0.95 ? 1 : 0, percent);
    return text;
}

}  // namespace parcast
