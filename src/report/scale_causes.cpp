#include "report/scale_causes.h"

#include <cmath>

#include <fmt/core.h>

#include "report/findings_text.h"
#include "report/format.h"

namespace parcast::report {

namespace {

constexpr double small_error = 0.01;
constexpr double least_share = 0.01;  // of the time: a smaller part explains nothing

std::string growth_text(double growth) {
    return percent_text(std::abs(growth)) + (growth < 0 ? " less" : " more");
}

std::string predicted_growth_text(analysis::Comparison const& comparison) {
    bool const is_notable = std::abs(comparison.predicted_user_growth) >= least_share;
    return is_notable ? ", where " + growth_text(comparison.predicted_user_growth) + " was predicted" : "";
}

std::string part_text(analysis::Deviation const& cause, analysis::Comparison const& comparison,
                      ScaledCount const& count) {
    std::string const share = percent_text(std::abs(cause.share));
    std::string const slower = cause.share > 0 ? "slower" : "faster";
    std::string const more = cause.share > 0 ? "more" : "less";
    std::string const many = counted(count.compared_cpus, "CPU");
    switch (cause.part) {
        case analysis::DeviationPart::user:
            return fmt::format(
                "{} {}: its own code takes {} CPU time on {} than on one{}{}.", share, slower,
                growth_text(comparison.user_growth), many, predicted_growth_text(comparison),
                cause.share > 0 ? " (shared memory and caches, or spinning while it waits)" : "");
        case analysis::DeviationPart::system:
            return fmt::format(
                "{} {}: the system works {} for it on {} than predicted (wake-ups, page faults, "
                "files).",
                share, slower, more, many);
        case analysis::DeviationPart::idle:
            return fmt::format(
                "{} {}: the processors idle {} than predicted (wake-up latency, input and output, "
                "work that is shared out otherwise).",
                share, slower, more);
        case analysis::DeviationPart::one_cpu:
            return fmt::format("{} {}: on one CPU the program keeps it {} busy than in the prediction.",
                               share, slower, more);
    }
    return {};
}

}  // namespace

std::vector<std::string> explanation(ScaledCount const& count) {
    std::vector<std::string> sentences;
    if (!count.same_threads || count.same_threads->error < small_error) {
        return sentences;
    }
    analysis::Comparison const& comparison = *count.same_threads;
    if (has_warning(count.prediction.findings)) {
        sentences.push_back("The recording has warnings, which make its prediction doubtful.");
    }
    for (analysis::Deviation const& cause : comparison.causes) {
        // Those that offset others too: without them the rest does not sum to the error.
        if (std::abs(cause.share) >= least_share) {
            sentences.push_back(part_text(cause, comparison, count));
        }
    }
    if (comparison.is_within_range) {
        sentences.push_back(
            fmt::format("The prediction lies in the range of the measured speed-ups, {} to {}.",
                        speed_up_text(comparison.measured.least), speed_up_text(comparison.measured.most)));
    }
    return sentences;
}

}  // namespace parcast::report
