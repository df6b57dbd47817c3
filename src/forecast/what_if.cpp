#include "forecast/what_if.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <future>
#include <utility>

#include "analysis/what_to_change.h"
#include "forecast/replays.h"
#include "forecast/results_of.h"

namespace parcast::forecast {

namespace {

constexpr auto tried_factors = std::to_array({0.9, 0.5, 0.0});
constexpr double worth_a_try = 0.01;  // of the completion

bool is_tried(OwnerKind kind) {
    return kind == OwnerKind::function || kind == OwnerKind::lock;
}

// Whose work is tried with less of it: the first `top` functions and locks, and what to change first.
std::vector<AdviceRow*> rows_to_try(AdviceOnCpus& at, Advice const& advice, std::size_t top) {
    std::vector<AdviceRow*> rows;
    if (!at.time_ns || (at.cpus == 1 && advice.counts.size() > 1))
        return rows;  // on one CPU all work decides
    for (AdviceRow& row : at.rows) {
        bool const is_first = at.first && &row == &at.rows[*at.first];
        bool const decides = std::abs(row.decided_ns) >= worth_a_try * at.completion_ns;
        if (is_tried(advice.work[row.work].kind) && decides && (rows.size() < top || is_first))
            rows.push_back(&row);
    }
    return rows;
}

using Times = Result<std::vector<std::optional<double>>>;

Result<void> try_changes(Advice& advice, ThreadProgram const& program, ReplayOn const& on, std::size_t top) {
    std::vector<std::packaged_task<Times()>> tasks;
    std::vector<TriedChange*> tried;
    for (AdviceOnCpus& at : advice.counts) {
        for (AdviceRow* const row : rows_to_try(at, advice, top)) {
            double const share = row->decided_ns / at.completion_ns;
            for (double const factor : tried_factors)
                row->tried.push_back({factor, std::nullopt, *at.time_ns * (1 - (1 - factor) * share)});
            for (TriedChange& change : row->tried) {
                tried.push_back(&change);
                tasks.emplace_back(
                    [&, owner = row->work, factor = change.factor, cpus = std::array{at.cpus}] {
                        return times_on(with_work_scaled(program, owner, factor), {on.machine, on.pairing, 1},
                                        cpus);
                    });
            }
        }
    }
    auto results = results_of(tasks, on.workers);
    for (std::size_t i = 0; i < results.size(); ++i) {
        if (!results[i])
            return pass_on(results[i]);
        tried[i]->time_ns = results[i]->front();
    }
    return {};
}

}  // namespace

Result<std::vector<std::optional<double>>> times_on(ThreadProgram const& program, ReplayOn const& on,
                                                    std::span<std::uint32_t const> cpus) {
    std::vector<Machine> machines;
    for (auto const count : cpus)
        machines.push_back(with_cpus(on.machine, count));
    auto const runs = replay_all(program, machines, on.workers, on.pairing);
    if (!runs)
        return pass_on(runs);
    std::vector<std::optional<double>> times;
    for (Run const& run : *runs)
        times.push_back(run.deadlock ? std::nullopt : std::optional(to_real(run.accounts.completion).ns));
    return times;
}

Result<void> add_what_if(Answer& answer, ThreadProgram const& program, ReplayOn const& on,
                         Scenario const& scenario) {
    auto const after = changed(program, scenario);
    if (!after)
        return pass_on(after);
    std::vector<std::uint32_t> cpus;
    for (Row const& row : answer.rows)
        cpus.push_back(row.cpus);
    auto const times = times_on(*after, on, cpus);
    if (!times)
        return pass_on(times);
    answer.recording().what_if.push_back(scenario.text);
    for (std::size_t row = 0; row < answer.rows.size(); ++row)
        answer.rows[row].what_if_ns.push_back((*times)[row]);
    return {};
}

Result<Advice> advise(Forecast forecast, std::size_t top, unsigned workers) {
    auto const& program = forecast.threads();
    auto const checked = CheckedProgram::of(program);
    if (!checked)
        return pass_on(checked);
    auto const unbounded = simulate::run_unbounded(*checked, forecast.pairing, true);
    if (!unbounded)
        return pass_on(unbounded);
    Advice advice{.answer = std::move(forecast.answer), .work = {}, .counts = {}};
    if (!unbounded->causes) {  // it deadlocks, and so do the rows
        for (Row const& row : advice.answer.rows)
            advice.counts.push_back({row.cpus, std::nullopt, 0, {}, std::nullopt});
        return advice;
    }
    analysis::WhatToChange const what(program, *unbounded->causes);
    advice.work = analysis::changeable_work(what);
    for (Row const& row : advice.answer.rows) {
        advice.counts.push_back(analysis::advice_on(what, row.cpus));
        if (!row.run.deadlock)
            advice.counts.back().time_ns = row.time_ns;
    }
    if (auto const tried = try_changes(advice, program, {forecast.machine, forecast.pairing, workers}, top);
        !tried)
        return pass_on(tried);
    return advice;
}

}  // namespace parcast::forecast
