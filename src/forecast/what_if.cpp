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
// Less of the larger piece brings hardly more than less of a smaller one within it: the smaller one is named.
constexpr double nearly_as_much = 0.8;
constexpr double worth_a_try = 0.01;  // of the completion

bool is_tried(OwnerKind kind) {
    return kind == OwnerKind::function || kind == OwnerKind::lock;
}

// By what they decide, of those that have work.
std::vector<AdviceRow> rows_of(analysis::DecidedTime const& decided, Advice const& advice) {
    std::vector<AdviceRow> rows;
    for (std::size_t owner = 0; owner < advice.work.size(); ++owner)
        if (auto const self_ns = static_cast<double>(advice.work[owner].self_ns); self_ns > 0)
            rows.push_back({owner, decided.decided_ns[owner] / self_ns, decided.decided_ns[owner], {}});
    std::ranges::stable_sort(rows, std::greater(), &AdviceRow::decided_ns);
    return rows;
}

// The smallest piece that decides nearly as much as the one that decides most.
std::optional<std::size_t> first_to_change(std::vector<AdviceRow> const& rows, Advice const& advice) {
    std::optional<std::size_t> first;
    double most = 0;
    for (std::size_t row = 0; row < rows.size(); ++row) {
        auto const& work = advice.work[rows[row].work];
        if (!is_tried(work.kind) || rows[row].decided_ns <= 0)
            continue;
        most = std::max(most, rows[row].decided_ns);
        bool const is_smaller = !first || work.self_ns < advice.work[rows[*first].work].self_ns;
        if (rows[row].decided_ns >= nearly_as_much * most && is_smaller)
            first = row;
    }
    return first;
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
    for (Row const& row : advice.answer.rows) {
        auto const time_ns = row.run.deadlock ? std::nullopt : std::optional(row.time_ns);
        advice.counts.push_back({row.cpus, time_ns, 0, {}, std::nullopt});
    }
    if (!unbounded->causes)  // it deadlocks, and so do the rows
        return advice;
    analysis::WhatToChange const what(program, *unbounded->causes);
    for (std::size_t owner = 0; owner < what.owners().count(); ++owner)
        advice.work.push_back({what.owners().kind(owner), what.owners().name(owner),
                               what.owners().site(owner), what.owners().object(owner),
                               what.work()[owner].calls, what.work()[owner].work_ns});
    for (AdviceOnCpus& at : advice.counts) {
        auto const decided = what.on(at.cpus);
        at.completion_ns = decided.completion_ns;
        at.rows = rows_of(decided, advice);
        at.first = first_to_change(at.rows, advice);
    }
    if (auto const tried = try_changes(advice, program, {forecast.machine, forecast.pairing, workers}, top);
        !tried)
        return pass_on(tried);
    return advice;
}

}  // namespace parcast::forecast
