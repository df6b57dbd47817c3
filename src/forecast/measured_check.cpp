#include "forecast/measured_check.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "analysis/comparison.h"
#include "analysis/measured_otherwise.h"
#include "core/percent_text.h"

namespace parcast::forecast {

namespace {

constexpr double far_off = 1.25;
constexpr double tells_nothing = 1.5;  // ends of a measured range that lie further apart
constexpr double without_range = 0.1;  // to both sides, if nobody asked for ranges

Range range_or_usual(std::optional<Range> const& range, double value) {
    return range.value_or(Range{value * (1 - without_range), value * (1 + without_range)});
}

Row const* row_on(Answer const& answer, std::uint32_t cpus) {
    for (auto const* rows : {&answer.rows, &answer.recording().measured_rows})
        if (auto const row = std::ranges::find(*rows, cpus, &Row::cpus);
            row != rows->end() && !row->run.deadlock)
            return &*row;
    return nullptr;
}

MeasuredVerdict verdict_on(MeasuredCheck const& check) {
    auto const& measured = check.measured.range;
    if (check.predicted > far_off * measured.high || far_off * check.predicted < measured.low)
        return MeasuredVerdict::far_off;
    bool const meet =
        check.predicted_range.low <= measured.high && check.predicted_range.high >= measured.low;
    if (!meet)
        return MeasuredVerdict::differs;
    return check.gives_memory ? MeasuredVerdict::adopted : MeasuredVerdict::holds;
}

bool is_off(MeasuredCheck const& check) {
    return check.verdict == MeasuredVerdict::differs || check.verdict == MeasuredVerdict::far_off;
}

void judge(MeasuredCheck& check, Answer const& answer) {
    auto const* const one = row_on(answer, 1);
    auto const* const many = row_on(answer, check.measured.cpus);
    if (!check.reason.empty())
        return;
    if (one == nullptr || many == nullptr) {
        check.reason = "the replay there deadlocks";
        return;
    }
    if (one->time_ns <= 0 || many->time_ns <= 0) {
        check.reason = "the prediction has no time";
        return;
    }
    check.predicted = many->speed_up;
    check.predicted_range =
        range_or_usual(many->range ? std::optional(many->range->speed_up) : std::nullopt, many->speed_up);
    check.verdict = verdict_on(check);
    auto const& measured = check.measured;
    if (!is_off(check) && measured.range.high > tells_nothing * measured.range.low) {
        check.verdict = MeasuredVerdict::not_compared;
        check.reason = measured.others > measured_least_apart
                           ? "other programs had " + percent_text(measured.others) + " of the CPUs' time"
                           : "its runs differ too much";
        return;
    }
    check.causes =
        analysis::compare({analysis::run_times(one->run.accounts), analysis::run_times(many->run.accounts)},
                          std::span(&check.measured.one, 1), std::span(&check.measured.many, 1),
                          check.measured.cpus)
            .causes;
}

// The measurement that tells most of so many CPUs: there, else on the next fewer ones, else on the fewest.
MeasuredCheck const& nearest_check(std::vector<MeasuredCheck> const& checks, std::uint32_t cpus) {
    MeasuredCheck const* best = &checks.front();
    for (auto const& check : checks)
        if (check.measured.cpus <= cpus)
            best = &check;
    return *best;
}

void include(Range& range, Range const& other) {
    range = {std::min(range.low, other.low), std::max(range.high, other.high)};
}

// As the measurement implies, by both ends of its range.
void widen(Row& row, MeasuredCheck const& check) {
    if (!row.range || row.cpus == 1 || !is_off(check))
        return;
    auto const implied = [&](double measured) {
        return implied_speed_up(row.speed_up, row.cpus, check.measured.cpus, check.predicted, measured);
    };
    auto const& measured = check.measured.range;
    Range const speed_up{std::min(implied(measured.low), implied(measured.high)),
                         std::max(implied(measured.low), implied(measured.high))};
    include(row.range->speed_up, speed_up);
    include(row.range->time_ns,
            {row.time_ns * row.speed_up / speed_up.high, row.time_ns * row.speed_up / speed_up.low});
}

// The measured time on one CPU over the predicted one, if that is far off.
std::optional<Range> factor_on_one(Answer const& answer) {
    auto const* const one = row_on(answer, 1);
    auto const& checks = answer.recording().measured;
    if (one == nullptr || checks.empty() || !checks.front().reason.empty() || one->time_ns <= 0)
        return std::nullopt;
    auto const& measured = checks.front().measured.time_on_one_ns;
    auto const predicted =
        range_or_usual(one->range ? std::optional(one->range->time_ns) : std::nullopt, one->time_ns);
    if (predicted.low <= far_off * measured.high && far_off * predicted.high >= measured.low)
        return std::nullopt;
    return Range{measured.low / one->time_ns, measured.high / one->time_ns};
}

// Warnings come before notes.
void add_finding(Answer& answer, Finding finding) {
    auto const at = std::ranges::find_if(
        answer.findings, [](Finding const& known) { return known.severity != Severity::warning; });
    answer.findings.insert(at, std::move(finding));
}

// The one that is told: the first that is worst.
MeasuredCheck const* worst(std::vector<MeasuredCheck> const& checks) {
    MeasuredCheck const* found = nullptr;
    for (auto const& check : checks)
        if (is_off(check) && (found == nullptr || (found->verdict == MeasuredVerdict::differs &&
                                                   check.verdict == MeasuredVerdict::far_off)))
            found = &check;
    return found;
}

}  // namespace

bool ran_on_several(std::vector<MeasuredCpus> const& measured) {
    constexpr double most_on_one = 1.05;
    if (measured.empty() || measured.front().cpus != 1)
        return false;
    return std::ranges::all_of(measured.front().runs, [](BareRun const& run) {
        auto const cpu_ns = static_cast<double>(run.user_ns + run.system_ns);
        return cpu_ns > most_on_one * static_cast<double>(run.wall_ns);
    });
}

double implied_speed_up(double speed_up, double n, double cpus, double predicted, double implied) {
    if (implied < predicted)
        return speed_up / (1 + (predicted / implied - 1) * (n - 1) / (cpus - 1));
    return std::max(speed_up, n * std::min(1.0, implied / cpus));
}

std::optional<std::string> reason_not_to_compare(TargetMachine const& target, Provenance const& recorded) {
    if (!std::holds_alternative<LinuxScheduler>(target.shape.scheduler))
        return "the scheduler of these predictions is not that of the host";
    if (target.plan)
        return "these predictions bind the threads";
    if (target.file && (!target.shape.calibration || target.shape.calibration->host != recorded.host))
        return "these predictions are for another machine";
    if (ran_on_several(recorded.measured))
        return "its runs on one CPU had more CPU time than wall time: they were not held to one";
    return std::nullopt;
}

std::vector<std::uint32_t> counts_to_check(TargetMachine const& target,
                                           std::optional<Provenance> const& recorded) {
    std::vector<std::uint32_t> counts;
    if (recorded && !reason_not_to_compare(target, *recorded))
        for (auto const& [cpus, runs] : recorded->measured)
            counts.push_back(static_cast<std::uint32_t>(cpus));
    return counts;
}

void check_measurements(Answer& answer) {
    auto& checks = answer.recording().measured;
    for (auto& check : checks)
        judge(check, answer);
    if (checks.empty())
        return;
    auto const on_one = factor_on_one(answer);
    for (auto& row : answer.rows) {
        widen(row, nearest_check(checks, row.cpus));
        if (on_one && row.range)
            include(row.range->time_ns, {row.time_ns * on_one->low, row.time_ns * on_one->high});
    }
    if (auto const* const check = worst(checks))
        add_finding(answer, analysis::measured_otherwise(*check));
    if (on_one)
        add_finding(answer,
                    analysis::measured_otherwise_on_one(row_on(answer, 1)->time_ns, checks.front().measured));
    if (withholds_conclusions(answer.findings))
        answer.scaling.reset();
}

}  // namespace parcast::forecast
