#include "pamela/empirical.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/ensure.h"
#include "pamela/syntax/number_text.h"

namespace parcast::pamela {

namespace {

// Sums of the powers of the samples' distances from a fixed value near their mean, which keeps the digits.
struct PowerSums {
    double count = 0;
    std::array<double, 5> of{};  // of[r] = sum of d^r

    void add(double distance, double sign) {
        count += sign;
        double power = sign;
        for (std::size_t r = 1; r < of.size(); ++r)
            of[r] += power *= distance;
    }

    // The mean is relative to the fixed value.
    Moments moments() const {
        double const n = count;
        double const a = of[1] / n;
        double const second = of[2] / n - a * a;
        double const third = of[3] / n - 3 * a * of[2] / n + 2 * a * a * a;
        double const fourth = of[4] / n - 4 * a * of[3] / n + 6 * a * a * of[2] / n - 3 * a * a * a * a;
        if (second <= 0 || n < 2)
            return {.mean = a, .variance = 0, .skewness = 0, .kurtosis = 3};
        return {.mean = a,
                .variance = second * n / (n - 1),
                .skewness = third / std::pow(second, 1.5),
                .kurtosis = fourth / (second * second)};
    }
};

std::array<double, 4> values_of(Moments const& moments) {
    return {moments.mean, moments.variance, moments.skewness, moments.kurtosis};
}

}  // namespace

Result<std::vector<double>> samples_in(std::string_view text, std::string_view name) {
    constexpr std::string_view separators = " \t\r\n,;";
    std::vector<double> samples;
    std::uint32_t line = 1;
    std::size_t i = 0;
    while (i < text.size()) {
        if (text[i] == '\n')
            ++line;
        if (text[i] == '#' || text[i] == '%') {
            i = std::min(text.find('\n', i), text.size());
        } else if (separators.find(text[i]) != std::string_view::npos) {
            ++i;
        } else {
            auto const end = std::min(text.find_first_of(" \t\r\n,;#%", i), text.size());
            auto const word = text.substr(i, end - i);
            auto const value = number_in(word.starts_with('+') ? word.substr(1) : word);
            if (!value) {
                return fail(ErrorCode::malformed, "'" + std::string(word.substr(0, 40)) + "' is no number",
                            {.file = std::string(name), .line = line, .column = {}, .byte_offset = i});
            }
            samples.push_back(*value);
            i = end;
        }
    }
    if (samples.size() < 2) {
        return fail(ErrorCode::out_of_range, "it takes two samples or more to know a variance",
                    {.file = std::string(name), .line = {}, .column = {}, .byte_offset = {}});
    }
    return samples;
}

SampleMoments moments_of_samples(std::vector<double> const& samples) {
    ensure(samples.size() >= 2, "moments are of two samples or more");
    double mean = 0;
    for (std::size_t i = 0; i < samples.size(); ++i)
        mean += (samples[i] - mean) / static_cast<double>(i + 1);
    PowerSums all;
    for (double const sample : samples)
        all.add(sample - mean, 1);
    SampleMoments result{samples.size(), all.moments(), {}};
    result.moments.mean += mean;

    // Welford's update for the spread of the leave-one-out moments.
    std::array<double, 4> middle{};
    std::array<double, 4> squares{};
    double seen = 0;
    for (double const sample : samples) {
        auto without = all;
        without.add(sample - mean, -1);
        ++seen;
        auto const values = values_of(without.moments());
        for (std::size_t r = 0; r < 4; ++r) {
            double const before = values[r] - middle[r];
            middle[r] += before / seen;
            squares[r] += before * (values[r] - middle[r]);
        }
    }
    auto const error = [&](std::size_t r) { return std::sqrt(squares[r] * (seen - 1) / seen); };
    result.standard_errors = {
        .mean = error(0), .variance = error(1), .skewness = error(2), .kurtosis = error(3)};
    return result;
}

}  // namespace parcast::pamela
