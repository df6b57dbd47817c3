#include "forecast/what_if.h"

#include <algorithm>
#include <utility>

#include "forecast/ranges.h"
#include "forecast/replays.h"
#include "model/deterministic/deterministic.h"
#include "program/task_change.h"
#include "simulate/changed_machine.h"

namespace parcast::forecast {

namespace {

using Times = std::vector<std::optional<double>>;

Result<Times> times_of_threads(Forecast const& forecast, Scenario const& scenario,
                               std::span<std::uint32_t const> cpus, unsigned workers) {
    auto const after = changed(forecast.threads(), scenario);
    if (!after)
        return pass_on(after);
    return times_on(*after, {changed(forecast.machine, scenario), forecast.pairing, workers}, cpus);
}

Result<Times> times_of_graph(Forecast const& forecast, Scenario const& scenario,
                             std::span<std::uint32_t const> cpus) {
    auto const after = changed(forecast.graph(), scenario);
    if (!after)
        return pass_on(after);
    Times times;
    for (auto const count : cpus) {
        auto const time_ns = time_on(*after, forecast, count);
        if (!time_ns)
            return pass_on(time_ns);
        times.emplace_back(*time_ns);
    }
    return times;
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
    Times times;
    for (Run const& run : *runs)
        times.push_back(run.deadlock ? std::nullopt : std::optional(to_real(run.accounts.completion).ns));
    return times;
}

Result<double> time_on(TaskGraph const& graph, Forecast const& forecast, std::uint32_t cpus) {
    auto machine = machine_with(forecast, cpus, forecast.answer.graph().schedules.front().name);
    if (!machine)
        return pass_on(machine);
    auto const execution = model::execute(
        graph, *machine, {model::Keep::totals, forecast.contention ? &*forecast.contention : nullptr});
    return execution ? Result<double>(execution->time_ns) : pass_on(execution);
}

Result<Forecast> with_what_if(Forecast forecast, Question const& question) {
    Answer& answer = forecast.answer;
    std::vector<std::uint32_t> cpus;
    for (Row const& row : answer.rows)
        if (row.schedule == 0)
            cpus.push_back(row.cpus);
    for (Scenario const& scenario : question.what_if) {
        auto const times = answer.is_replayed() ? times_of_threads(forecast, scenario, cpus, question.workers)
                                                : times_of_graph(forecast, scenario, cpus);
        if (!times)
            return pass_on(times);
        answer.what_if.push_back(scenario.text);
        for (std::size_t row = 0; row < cpus.size(); ++row)
            answer.rows[row].what_if_ns.push_back((*times)[row]);
    }
    return forecast;
}

Result<void> add_what_if_ranges(Forecast& forecast, Question const& question) {
    auto& rows = forecast.answer.rows;
    for (std::size_t change = 0; change < question.what_if.size(); ++change) {
        auto const& scenario = question.what_if[change];
        auto const after = changed(forecast.threads(), scenario);
        if (!after)
            return pass_on(after);
        std::vector<TriedTime> times;
        for (Row const& row : rows)
            if (!row.run.deadlock && row.what_if_ns[change])
                times.push_back({row, *row.what_if_ns[change]});
        auto const machine = changed(forecast.machine, scenario);
        auto const gains = gain_ranges(forecast, {*after, machine}, times, question.workers);
        if (!gains)
            return pass_on(gains);
        auto gain = gains->begin();
        for (Row& row : rows)
            row.what_if_gains.push_back(!row.run.deadlock && row.what_if_ns[change] ? *gain++ : std::nullopt);
    }
    return {};
}

}  // namespace parcast::forecast
