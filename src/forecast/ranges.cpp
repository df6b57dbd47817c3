#include "forecast/ranges.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <boost/math/distributions/students_t.hpp>

#include "core/counted.h"
#include "core/sample.h"
#include "forecast/doubtful_times.h"
#include "forecast/known_errors.h"
#include "forecast/varied_replays.h"
#include "simulate/simulate.h"
#include "timeline/recording_cost.h"

namespace parcast::forecast {

namespace {

constexpr double disorder = 1.6;  // of real threads, in that of replays

double square(double value) {
    return value * value;
}

// So many operations are replayed in about a second on two CPUs.
constexpr double operations_of_a_second = 20e6;

// The deviation of the price of an event, on average; 0 of a program that was written down.
double event_deviation_ns(Forecast const& forecast) {
    auto const& from = forecast.answer.recording().provenance;
    if (!from)
        return 0;
    std::int64_t const events = std::max<std::int64_t>(1, operation_count(forecast.threads()));
    double const price_ns = from->event_cost_ns * priced_events(events, *from) / static_cast<double>(events);
    return price_ns * from->event_cost_uncertainty * from_bound_to_deviation;
}

// The logarithm of a number over that of the answer, as far as the replays tell: its mean where costs are as
// they are believed, and the variances by cause.
struct Deviation {
    double mean = 0;
    double events = 0;
    double greater_by_costs = 0;  // the number is greater, by other costs
    double less_by_costs = 0;
    double order = 0;
    double freedom = 1;  // of the last one
};

// By least squares: a straight line in what events and costs deviate, which are centred; what is left is of
// the order.
Deviation deviation_of(std::vector<Draw> const& draws, std::vector<double> const& values, bool has_events,
                       Machine const& machine) {
    Sample all;
    double ee = 0;
    double cc = 0;
    double ec = 0;
    double ev = 0;
    double cv = 0;
    for (double const value : values)
        all.add(value);
    double const mean = all.mean();
    Sample events;
    Sample costs;
    for (auto const& draw : draws) {
        events.add(draw.events);
        costs.add(moved_costs(machine, draw.costs));
    }
    for (std::size_t i = 0; i < values.size(); ++i) {
        double const e = draws[i].events - events.mean();
        double const c = moved_costs(machine, draws[i].costs) - costs.mean();
        ee += e * e;
        cc += c * c;
        ec += e * c;
        ev += e * (values[i] - mean);
        cv += c * (values[i] - mean);
    }
    // Without a price of events, what follows their deviations does so by chance.
    double const determinant = has_events ? ee * cc - ec * ec : cc;
    double const by_events = has_events ? (ev * cc - cv * ec) / determinant : 0;
    double const by_costs = has_events ? (cv * ee - ev * ec) / determinant : cv / cc;
    double left = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        double const e = draws[i].events - events.mean();
        double const c = moved_costs(machine, draws[i].costs) - costs.mean();
        double const residual = values[i] - mean - by_events * e - by_costs * c;
        left += residual * residual;
    }
    double const freedom = static_cast<double>(values.size()) - (has_events ? 3 : 2);
    double const wide = normal_quantile((1 + range_level) / 2);
    double const dear = by_costs * moved_costs(machine, wide) / wide;
    double const cheap = by_costs * moved_costs(machine, -wide) / wide;
    return {mean - by_costs * costs.mean(),       square(by_events), square(std::max({dear, cheap, 0.0})),
            square(std::min({dear, cheap, 0.0})), left / freedom,    freedom};
}

double sum(Variances const& variances) {
    return std::accumulate(variances.begin(), variances.end(), 0.0);
}

// Logarithms of the ends over the number itself, which lies between them. `sign`: 1 where worse is greater.
struct Ends {
    double low = 0;
    double high = 0;
    Variances variances{};
};

Ends ends_of(Deviation const& deviation, KnownErrors const& known, double sign) {
    // Few replays tell less of their own spread: Student's law instead of the normal one.
    double const wide = normal_quantile((1 + range_level) / 2);
    double const student =
        boost::math::quantile(boost::math::students_t(deviation.freedom), (1 + range_level) / 2);
    auto both = known.either_way;
    of(both, Uncertainty::events) += deviation.events;
    of(both, Uncertainty::order) += deviation.order * square(disorder * student / wide);
    auto const& less = sign > 0 ? known.better : known.worse;
    auto const& greater = sign > 0 ? known.worse : known.better;
    Ends ends{deviation.mean - wide * std::sqrt(sum(both) + sum(less) + deviation.less_by_costs),
              deviation.mean + wide * std::sqrt(sum(both) + sum(greater) + deviation.greater_by_costs), both};
    for (std::size_t i = 0; i < uncertainties; ++i)
        ends.variances[i] += known.worse[i] + known.better[i];
    of(ends.variances, Uncertainty::costs) += (deviation.less_by_costs + deviation.greater_by_costs) / 2;
    ends.low = std::min(0.0, ends.low);
    ends.high = std::max(0.0, ends.high);
    return ends;
}

Range around(double value, Ends const& ends) {
    return {value * std::exp(ends.low), value * std::exp(ends.high)};
}

// Beyond the number of CPUs only where the prediction is: turns cost time on one CPU.
Range within_cpus(Range range, Row const& row) {
    auto const cpus = static_cast<double>(row.cpus);
    if (row.speed_up <= cpus)
        range.high = std::min(range.high, cpus);
    return range;
}

std::array<double, uncertainties> shares_of(Variances const& variances) {
    auto shares = variances;
    double const all = sum(variances);
    for (double& share : shares)
        share = all > 0 ? share / all : 0;
    return shares;
}

// What can be told of one row from the replays that ended there and on one CPU. None: too few did.
std::optional<RowRange> range_of(Row const& row, Forecast const& forecast, VariedReplays const& varied,
                                 std::optional<Duration> time_on_one) {
    std::vector<Draw> used;
    std::vector<double> longer;
    std::vector<double> faster;
    double const nominal = std::log(std::max(1.0, row.time_ns));
    double const nominal_one = time_on_one ? std::log(std::max(1.0, to_real(*time_on_one).ns)) : 0;
    for (std::size_t i = 0; i < varied.draws.size(); ++i) {
        auto const here = varied.on(row.cpus, i);
        auto const one = varied.on(1, i);
        if (!here || (time_on_one && !one))
            continue;
        used.push_back(varied.draws[i]);
        longer.push_back(here->log - nominal);
        if (time_on_one)
            faster.push_back(one->log - nominal_one - longer.back());
    }
    if (used.size() < fewest_ended_replays)
        return std::nullopt;
    bool const has_events = event_deviation_ns(forecast) > 0;
    auto const known = known_errors(forecast.answer, forecast.machine, row, mean_busy(row));
    auto const time = ends_of(deviation_of(used, longer, has_events, forecast.machine), known, 1);
    RowRange range{around(row.time_ns, time), {row.speed_up, row.speed_up}, shares_of(time.variances)};
    if (row.cpus == 1 || !time_on_one)
        return range;
    auto const speed_up = ends_of(deviation_of(used, faster, has_events, forecast.machine),
                                  known_errors_of_speed_up(forecast.answer, forecast.machine, row), -1);
    range.speed_up = within_cpus(around(row.speed_up, speed_up), row);
    range.shares = shares_of(speed_up.variances);
    return range;
}

// The same draws change both programs alike. None: too few of the replays came to their end.
std::optional<Range> gain_range(Row const& row, double after_ns, Forecast const& forecast,
                                VariedReplays const& changed) {
    auto const& varied = *forecast.varied;
    double const left = std::max(1.0, after_ns) / std::max(1.0, row.time_ns);
    std::vector<Draw> used;
    std::vector<double> longer;
    for (std::size_t i = 0; i < varied.draws.size(); ++i) {
        auto const before = varied.on(row.cpus, i);
        auto const after = changed.on(row.cpus, i);
        // Models differ by more than the change may.
        if (!before || !after || before->is_paired != after->is_paired)
            continue;
        used.push_back(varied.draws[i]);
        longer.push_back(after->log - before->log - std::log(left));
    }
    if (used.size() < fewest_ended_replays)
        return std::nullopt;
    auto const known = known_errors_of_change(forecast.answer, forecast.machine, row, left);
    bool const has_events = event_deviation_ns(forecast) > 0;
    auto const ratio =
        around(left, ends_of(deviation_of(used, longer, has_events, forecast.machine), known, 1));
    return Range{1 - ratio.high, 1 - ratio.low};
}

std::string sentence_on(RangeBasis const& basis) {
    std::string text = "Ranges are for nine of ten measurements, by " + counted(basis.replays, "replay") +
                       " for each number of CPUs with other prices of events, costs of scheduling and "
                       "lengths of segments, and by what replays leave out, as far as it was measured: "
                       "docs/trust.md.";
    if (basis.paired > 0)
        text += " " + counted(basis.paired, "replay") +
                " deadlocked at first, and ended with the recorded wake-ups.";
    if (basis.deadlocks > 0)
        text += " " + counted(basis.deadlocks, "replay") + " deadlocked, and counted for nothing.";
    return text;
}

// Those of the answer, and those that measurements are compared with.
std::vector<Row*> rows_with_ranges(Answer& answer) {
    std::vector<Row*> all;
    for (auto* rows : {&answer.rows, &answer.recording().measured_rows})
        for (auto& row : *rows)
            if (!row.run.deadlock)  // it has no range
                all.push_back(&row);
    return all;
}

// One, and those of the rows, each of another number of CPUs. None without rows.
std::vector<std::uint32_t> counts_to_replay(std::span<Row* const> rows) {
    if (rows.empty())
        return {};
    std::vector<std::uint32_t> counts{1};
    for (auto const* row : rows)
        counts.push_back(row->cpus);
    std::ranges::sort(counts);
    auto const twice = std::ranges::unique(counts);
    counts.erase(twice.begin(), twice.end());
    return counts;
}

RangeBasis basis_of(VariedReplays const& varied) {
    RangeBasis basis{static_cast<std::uint32_t>(varied.draws.size()), 0, 0};
    for (LogTime const& time : varied.log_times) {
        basis.deadlocks += time ? 0 : 1;
        basis.paired += time && time->is_paired ? 1 : 0;
    }
    return basis;
}

// As many as a second has room for.
std::uint32_t replays_in_a_second(ThreadProgram const& program, std::size_t counts) {
    auto const each =
        std::max(1.0, static_cast<double>(operation_count(program)) * static_cast<double>(counts));
    auto const many = operations_of_a_second / each;
    return many >= usual_range_replays ? usual_range_replays
                                       : std::max(fewest_range_replays, static_cast<std::uint32_t>(many));
}

}  // namespace

Result<void> add_ranges(Forecast& forecast, RangeQuestion const& question, unsigned workers,
                        RunListener const& listener) {
    auto const program = CheckedProgram::of(forecast.threads());
    if (!program)
        return pass_on(program);
    auto const rows = rows_with_ranges(forecast.answer);
    auto const cpus = counts_to_replay(rows);
    auto const replays = question.replays.value_or(replays_in_a_second(forecast.threads(), cpus.size()));
    auto varied = varied_replays({*program, forecast.machine, forecast.pairing, event_deviation_ns(forecast)},
                                 cpus, draws(replays), workers, listener);
    if (!varied)
        return pass_on(varied);
    auto const time_on_one = forecast.answer.recording().time_on_one;
    for (auto* row : rows)
        row->range = range_of(*row, forecast, *varied, time_on_one);
    if (auto const reached = reach_without_doubtful_times(forecast, rows); !reached)
        return pass_on(reached);
    forecast.answer.ranges = basis_of(*varied);
    forecast.answer.assumptions.push_back(sentence_on(*forecast.answer.ranges));
    forecast.varied = std::move(*varied);
    return {};
}

Result<std::vector<std::optional<Range>>> gain_ranges(Forecast const& forecast, ChangedReplay const& after,
                                                      std::span<TriedTime const> times, unsigned workers) {
    auto const program = CheckedProgram::of(after.program);
    if (!program)
        return pass_on(program);
    std::vector<std::uint32_t> cpus;
    for (auto const& time : times)
        cpus.push_back(time.row.cpus);
    auto const changed =
        varied_replays({*program, after.machine, forecast.pairing, event_deviation_ns(forecast), after.plan},
                       std::move(cpus), forecast.varied->draws, workers);
    if (!changed)
        return pass_on(changed);
    std::vector<std::optional<Range>> ranges;
    for (auto const& time : times)
        ranges.push_back(gain_range(time.row, time.after_ns, forecast, *changed));
    return ranges;
}

}  // namespace parcast::forecast
