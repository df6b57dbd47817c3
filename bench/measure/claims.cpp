#include "measure/claims.h"

#include <ctime>

#include <fmt/format.h>

namespace parcast::bench {

namespace {

std::string text_of(double value) {
    return value >= 100 ? fmt::format("{:.0f}", value) : fmt::format("{:.3g}", value);
}

std::string text_of(std::optional<Target> const& target) {
    if (!target)
        return "";
    return (target->kind == Target::Kind::at_least ? ">= " : "<= ") + text_of(target->value);
}

std::string verdict_of(Claim const& claim) {
    if (!claim.target)
        return "";
    bool const is_met = claim.target->kind == Target::Kind::at_least
                            ? claim.measured.median >= claim.target->value
                            : claim.measured.median <= claim.target->value;
    return is_met ? "met" : "MISSED";
}

constexpr char const* row = "{:<38} {:>8} {:>13} {:>8} {:>7}  {:>6}  {}\n";

}  // namespace

double thread_cpu_s() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

Measured summary_of(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return {values[values.size() / 2], values.front(), values.back()};
}

void print_title(std::string_view title) {
    fmt::print("\n{}\n\n", title);
    fmt::print(row, "", "median", "range", "target", "", "ratio", "to this baseline, measured in turn");
}

void print(Claim const& claim) {
    Measured const& measured = claim.measured;
    std::string const range =
        measured.lowest == measured.highest ? "" : text_of(measured.lowest) + "-" + text_of(measured.highest);
    std::string ratio;
    std::string baseline;
    if (!claim.baseline.empty()) {
        ratio = text_of(measured.median / claim.baseline_measured.median);
        baseline = claim.baseline + ": " + text_of(claim.baseline_measured.median);
    }
    fmt::print(row, claim.what + ", " + claim.unit, text_of(measured.median), range, text_of(claim.target),
               verdict_of(claim), ratio, baseline);
}

}  // namespace parcast::bench
