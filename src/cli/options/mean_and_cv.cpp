#include "cli/options/mean_and_cv.h"

#include <charconv>
#include <cmath>
#include <optional>
#include <string>

namespace parcast::cli {

namespace {

std::optional<double> number_in(std::string_view text) {
    double value = 0;
    auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    bool const whole = error == std::errc{} && end == text.data() + text.size();
    return whole ? std::optional(value) : std::nullopt;
}

}  // namespace

Result<model::RandomInterval> parse_mean_and_cv(std::string_view text) {
    auto const comma = text.find(',');
    auto const mean = number_in(text.substr(0, comma));
    auto const cv = comma == std::string_view::npos ? std::optional(1.0) : number_in(text.substr(comma + 1));
    if (!mean || !cv) {
        return fail(
            ErrorCode::malformed,
            "\"" + std::string(text) + "\" is not a mean and a coefficient of variation, such as 12.5,2");
    }
    if (!std::isfinite(*mean) || !std::isfinite(*cv) || *mean < 0 || *cv < 0)
        return fail(ErrorCode::out_of_range, "\"" + std::string(text) + "\": both must be 0 or more");
    return model::RandomInterval{*mean, *cv};
}

}  // namespace parcast::cli
