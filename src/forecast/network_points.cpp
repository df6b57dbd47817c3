#include "forecast/network_points.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <future>
#include <utility>

#include "core/counted.h"
#include "forecast/results_of.h"
#include "forecast/sweep_text.h"
#include "machine/network_text.h"

namespace parcast::forecast {

namespace {

constexpr char const* sweep_help =
    "Such as --sweep L=1us,5us,20us or --sweep G=0.1ns..10ns:log: parcast help predict";
constexpr std::size_t most_ranks_of_points = 20'000'000;  // each has some 80 bytes in the answer

Result<void> check_units(Sweep const& sweep, NetworkParameter const& parameter) {
    bool const is_zero = std::ranges::all_of(sweep.values, [](double value) { return value == 0; });
    if (is_time(parameter) && !sweep.has_units && !is_zero)
        return fail(make_error(
            ErrorCode::unasked,
            "--sweep: " + sweep.name + " is a time: its values need a unit (ns, us, ms, s)", sweep_help));
    if (!is_time(parameter) && sweep.has_units)
        return fail(make_error(ErrorCode::unasked, "--sweep: " + sweep.name + " is a number of bytes",
                               "Such as --sweep S=8192,65536"));
    return {};
}

// The networks of the points so far, each with every value of one sweep more.
Result<std::vector<NetworkPoint>> with_axis(std::vector<NetworkPoint> const& points, Sweep const& sweep,
                                            NetworkParameter const& parameter) {
    std::vector<NetworkPoint> all;
    for (auto const& point : points)
        for (double const value : sweep.values) {
            auto network = with_value(point.network, parameter, value);
            if (!network)
                return fail(
                    make_error(network.error().code, "--sweep: " + network.error().message, sweep_help));
            all.push_back({std::move(*network), point.values});
            all.back().values.push_back(value);
        }
    return all;
}

// Half of a value; S has no half that costs less: no message waits for its receive.
struct CheaperNetwork {
    NetworkParameter parameter;
    std::string change;
    Network network;
};

std::vector<CheaperNetwork> cheaper_networks(Network const& network) {
    std::vector<CheaperNetwork> all;
    for (auto const& parameter : parameters_of(network)) {
        auto const value = value_of(network, parameter);
        auto const name = name_of(parameter);
        if (is_time(parameter) && value > 0)
            all.push_back({parameter, name + "=half", *with_value(network, parameter, value / 2)});
        else if (!is_time(parameter) && value < static_cast<double>(never_rendezvous))
            all.push_back({parameter, name + "=never",
                           *with_value(network, parameter, static_cast<double>(never_rendezvous))});
    }
    return all;
}

// None: it is no value of its kind.
std::optional<double> value_after(Network const& network, NetworkParameter const& parameter,
                                  WorkChange const& change) {
    switch (change.effect) {
        case WorkChange::Effect::scaled: {
            auto const value = value_of(network, parameter) * change.factor;
            return is_time(parameter) ? value : std::floor(value);
        }
        case WorkChange::Effect::set:
            return change.has_unit == is_time(parameter) || change.value == 0 ? std::optional(change.value)
                                                                              : std::nullopt;
        case WorkChange::Effect::freed:
            return is_time(parameter) ? std::nullopt : std::optional(static_cast<double>(never_rendezvous));
        case WorkChange::Effect::split:
        case WorkChange::Effect::bound: break;
    }
    return std::nullopt;
}

std::optional<double> time_of_trial(Row const& row) {
    return row.run.deadlock ? std::nullopt : std::optional(row.time_ns);
}

// What is run at one point: the program, the scenarios, then the cheaper networks.
struct TrialsOfPoint {
    std::vector<NetworkTrial> trials;
    std::vector<CheaperNetwork> cheaper;
};

Result<TrialsOfPoint> trials_of(NetworkPoint const& point, Question const& question) {
    TrialsOfPoint all{{{point.network}}, {}};
    for (std::size_t scenario = 0; scenario < question.what_if.size(); ++scenario) {
        auto network = changed(point.network, question.what_if[scenario]);
        if (!network)
            return pass_on(network);
        all.trials.push_back({std::move(*network), scenario + 1});
    }
    if (question.network.effects)
        all.cheaper = cheaper_networks(point.network);
    for (auto const& each : all.cheaper)
        all.trials.push_back({each.network});
    return all;
}

// The rows of the point's own run; the others become times in them.
std::vector<Row> rows_of_point(NetworkPoint const& point, TrialsOfPoint const& of_point,
                               std::span<std::vector<Row>> runs) {
    auto rows = std::move(runs.front());
    auto const scenarios = of_point.trials.size() - 1 - of_point.cheaper.size();
    for (std::size_t method = 0; method < rows.size(); ++method) {
        auto& row = rows[method];
        row.messages->swept = point.values;
        for (std::size_t trial = 1; trial < runs.size(); ++trial) {
            auto const time = time_of_trial(runs[trial][method]);
            if (trial <= scenarios)
                row.what_if_ns.push_back(time);
            else
                row.messages->effects.push_back({of_point.cheaper[trial - 1 - scenarios].parameter,
                                                 of_point.cheaper[trial - 1 - scenarios].change, time});
        }
        std::ranges::stable_sort(row.messages->effects, {}, [&](NetworkEffect const& effect) {
            return effect.time_ns.value_or(row.time_ns);
        });
    }
    return rows;
}

}  // namespace

Result<NetworkPoints> network_points(Network const& network, std::span<Sweep const> sweeps,
                                     std::uint32_t ranks) {
    if (auto const checked = check_axes(sweeps); !checked)
        return pass_on(checked);
    NetworkPoints points{{}, {{network, {}}}};
    std::size_t count = 1;
    for (auto const& sweep : sweeps)
        count *= sweep.values.size();
    if (count > 1 && count * std::max(1U, ranks) > most_ranks_of_points)
        return fail(make_error(ErrorCode::unasked,
                               "--sweep: " + std::to_string(count) + " points of " + std::to_string(ranks) +
                                   " ranks are too many for one answer",
                               "Ask for fewer points, or for some at a time."));
    for (auto const& sweep : sweeps) {
        auto const parameter = network_parameter(network, sweep.name);
        if (!parameter)
            return fail(make_error(parameter.error().code, "--sweep: " + parameter.error().message,
                                   parameter.error().advice));
        if (auto const checked = check_units(sweep, *parameter); !checked)
            return pass_on(checked);
        auto next = with_axis(points.points, sweep, *parameter);
        if (!next)
            return pass_on(next);
        points.points = std::move(*next);
        points.swept.push_back(*parameter);
    }
    return points;
}

bool changes_network(WorkChange const& change) {
    return change.of == WorkChange::Of::network;
}

Result<Network> changed(Network network, Scenario const& scenario) {
    for (auto const& change : scenario.changes) {
        if (!changes_network(change))
            continue;
        auto const parameter = network_parameter(network, change.name);
        if (!parameter)
            return fail(make_error(parameter.error().code,
                                   "\"" + scenario.text + "\": " + parameter.error().message,
                                   parameter.error().advice));
        auto const value = value_after(network, *parameter, change);
        if (!value)
            return fail(make_error(
                ErrorCode::unasked,
                "\"" + scenario.text + "\": " + change.name +
                    (is_time(*parameter) ? " is a time" : " is a number of bytes"),
                is_time(*parameter) ? "Such as L=5us, L=half or L*0.1" : "Such as S=8192 or S=never"));
        auto next = with_value(std::move(network), *parameter, *value);
        if (!next)
            return fail(make_error(next.error().code, "\"" + scenario.text + "\": " + next.error().message));
        network = std::move(*next);
    }
    return network;
}

Result<std::vector<Row>> rows_of_points(NetworkPoints const& points, Question const& question,
                                        RowsOfTrial const& rows_of) {
    std::vector<TrialsOfPoint> of_points;
    std::vector<std::packaged_task<Result<std::vector<Row>>()>> tasks;
    for (auto const& point : points.points) {
        auto trials = trials_of(point, question);
        if (!trials)
            return pass_on(trials);
        of_points.push_back(std::move(*trials));
    }
    for (auto const& of_point : of_points)
        for (auto const& trial : of_point.trials)
            tasks.emplace_back([&rows_of, &trial, is_row = &trial == &of_point.trials.front()] {
                auto rows = rows_of(trial);
                if (rows && !is_row)  // only its time counts
                    for (auto& row : *rows)
                        row.messages.reset();
                return rows;
            });
    if (question.progress && tasks.size() > 1)
        question.progress(counted(static_cast<std::int64_t>(tasks.size()), "run") + " of the program");
    auto results = results_of(tasks, question.workers);
    std::vector<std::vector<Row>> runs;
    for (auto& result : results) {
        if (!result)
            return pass_on(result);
        runs.push_back(std::move(*result));
    }
    std::vector<Row> rows;
    std::size_t first = 0;
    for (std::size_t each = 0; each < of_points.size(); ++each) {
        auto const count = of_points[each].trials.size();
        for (auto& row :
             rows_of_point(points.points[each], of_points[each], std::span(runs).subspan(first, count)))
            rows.push_back(std::move(row));
        first += count;
    }
    return rows;
}

}  // namespace parcast::forecast
