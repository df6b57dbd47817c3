#include "report/sentences/sentences.h"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "report/format.h"

namespace parcast::report {

namespace {

constexpr double small_error = 0.01;
constexpr double least_share = 0.01;  // of the time: a smaller part explains nothing

std::string growth_text(double growth) {
    return percent_text(std::abs(growth)) + (growth < 0 ? " less" : " more");
}

std::string predicted_growth_text(Comparison const& comparison) {
    bool const is_notable = std::abs(comparison.predicted_user_growth) >= least_share;
    return is_notable ? ", where " + growth_text(comparison.predicted_user_growth) + " was predicted" : "";
}

std::string part_text(Deviation const& cause, Comparison const& comparison, ScaledCount const& count) {
    std::string const share = percent_text(std::abs(cause.share));
    std::string const slower = cause.share > 0 ? "slower" : "faster";
    std::string const more = cause.share > 0 ? "more" : "less";
    std::string const many = counted(count.compared_cpus, "CPU");
    switch (cause.part) {
        case DeviationPart::user:
            return fmt::format(
                "{} {}: its own code takes {} CPU time on {} than on one{}{}.", share, slower,
                growth_text(comparison.user_growth), many, predicted_growth_text(comparison),
                cause.share > 0 ? " (shared memory and caches, or spinning while it waits)" : "");
        case DeviationPart::system:
            return fmt::format(
                "{} {}: the system works {} for it on {} than predicted (wake-ups, page faults, "
                "files).",
                share, slower, more, many);
        case DeviationPart::idle:
            return fmt::format(
                "{} {}: the processors idle {} than predicted (wake-up latency, input and output, "
                "work that is shared out otherwise).",
                share, slower, more);
        case DeviationPart::one_cpu:
            return fmt::format("{} {}: on one CPU the program keeps it {} busy than in the prediction.",
                               share, slower, more);
    }
    return {};
}

// What is compared are the fastest runs. Empty if nobody disturbed that of the series.
std::string disturbance_text(MeasuredSeries const* series) {
    if (!series || series->runs.empty())
        return {};
    MeasuredRun const& fastest = *std::min_element(
        series->runs.begin(), series->runs.end(),
        [](MeasuredRun const& a, MeasuredRun const& b) { return a.times.wall < b.times.wall; });
    return fastest.is_disturbed ? fmt::format("{} of the time of the CPUs during the fastest run on {}",
                                              percent_text(fastest.disturbance), counted(series->cpus, "CPU"))
                                : std::string();
}

// Whose work the CPUs did, and what made them idle, is not known then. Empty if nobody disturbed what is
// compared.
std::string why_no_cause(ScaledCount const& count) {
    std::string const one = disturbance_text(measured_on(count, 1));
    std::string const many = disturbance_text(measured_on(count, count.compared_cpus));
    if (one.empty() && many.empty())
        return {};
    return "Others had " + one + (one.empty() || many.empty() ? "" : ", and ") + many +
           ": no cause of the error can be told. Measure again when they are done.";
}

std::vector<std::string> cause_texts(ScaledCount const& count) {
    if (std::string reason = why_no_cause(count); !reason.empty())
        return {std::move(reason)};
    std::vector<std::string> sentences;
    for (Deviation const& cause : count.same_threads->causes) {
        // Those that offset others too: without them the rest does not sum to the error.
        if (std::abs(cause.share) >= least_share)
            sentences.push_back(part_text(cause, *count.same_threads, count));
    }
    return sentences;
}

}  // namespace

std::vector<std::string> explanation(ScaledCount const& count) {
    std::vector<std::string> sentences;
    if (!count.same_threads || count.same_threads->error < small_error)
        return sentences;
    Comparison const& comparison = *count.same_threads;
    if (has_warning(count.prediction.findings))
        sentences.push_back("The recording has warnings, which make its prediction doubtful.");
    for (std::string& sentence : cause_texts(count))
        sentences.push_back(std::move(sentence));
    if (comparison.is_within_range) {
        sentences.push_back(
            fmt::format("The prediction lies in the range of the measured speed-ups, {} to {}.",
                        speed_up_text(comparison.measured.least), speed_up_text(comparison.measured.most)));
    }
    return sentences;
}

}  // namespace parcast::report
