#include "analysis/unshared_work.h"

#include <algorithm>

#include "core/time_text.h"

namespace parcast::analysis {

namespace {

constexpr double notable = 0.01;
constexpr double serious = 0.1;
constexpr double worthless = 0.25;

}  // namespace

std::optional<Finding> unshared_work(std::string const& seen, Duration saved, Duration all, SiteId site) {
    double const share = to_real(saved).ns / std::max(1.0, to_real(all).ns);
    if (share < notable)
        return std::nullopt;
    Finding found{FindingKind::hidden_hand_out, share < serious ? Severity::note : Severity::warning,
                  seen +
                      ": as if it was handed out by means that leave no trace. On one CPU who runs takes "
                      "all, and a replay leaves it there. Should the threads share it on more CPUs, a "
                      "prediction is up to " +
                      time_text(saved) + " too slow.",
                  ThreadId::none(), site};
    found.makes_worthless = share >= worthless;
    found.may_wait_less = found.severity == Severity::warning;
    return found;
}

}  // namespace parcast::analysis
