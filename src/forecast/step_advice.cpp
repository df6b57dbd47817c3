#include "forecast/step_advice.h"

#include <algorithm>
#include <numeric>
#include <string>

#include "forecast/network_points.h"
#include "forecast/step_rows.h"
#include "forecast/tried_changes.h"
#include "program/message_change.h"

namespace parcast::forecast {

namespace {

// By rank: its computing in the steps in which no other rank computes longer; the first such rank counts.
std::vector<std::int64_t> held_up_ns(StepProgram const& program) {
    std::vector<std::int64_t> held_up(program.ranks);
    for (std::size_t step = 0; step < program.steps(); ++step) {
        auto const computing = program.compute_of(step);
        auto const slowest = std::ranges::max_element(computing) - computing.begin();
        held_up[static_cast<std::size_t>(slowest)] += computing[static_cast<std::size_t>(slowest)];
    }
    return held_up;
}

// The ranks that hold up most, most first, and the one that computes most.
std::vector<std::uint32_t> ranks_to_try(StepProgram const& program, std::vector<RankTimes> const& times,
                                        std::size_t top) {
    auto const held_up = held_up_ns(program);
    std::vector<std::uint32_t> ranks(program.ranks);
    std::iota(ranks.begin(), ranks.end(), 0U);
    std::ranges::stable_sort(ranks, std::greater(), [&](std::uint32_t rank) { return held_up[rank]; });
    ranks.resize(std::min(ranks.size(), top));
    std::erase_if(ranks, [&](std::uint32_t rank) { return held_up[rank] == 0; });
    auto const busiest = static_cast<std::uint32_t>(
        std::ranges::max_element(times, {}, &RankTimes::computing) - times.begin());
    if (!times.empty() && times[busiest].computing.ns > 0 && std::ranges::find(ranks, busiest) == ranks.end())
        ranks.push_back(busiest);
    return ranks;
}

std::vector<ChangeableWork> work_to_try(StepProgram const& program, Answer const& answer,
                                        Network const& network, std::size_t top) {
    auto const& times = answer.rows.front().messages->ranks;
    std::vector<ChangeableWork> all;
    if (auto const work = answer.messages().work; work.ns > 0)
        all.push_back({.kind = OwnerKind::rank, .name = "", .self_ns = static_cast<double>(work.ns)});
    for (auto const rank : ranks_to_try(program, times, top))
        all.push_back({.kind = OwnerKind::rank,
                       .name = std::to_string(rank),
                       .self_ns = static_cast<double>(times[rank].computing.ns)});
    for (auto const& parameter : parameters_of(network))
        if (auto const value = value_of(network, parameter); value > 0)
            all.push_back({.kind = OwnerKind::network, .name = name_of(parameter), .value = value});
    return all;
}

}  // namespace

Result<Advice> advise_steps(Forecast const& forecast, AdviceQuestion const& question) {
    auto const& program = std::get<StepProgram>(forecast.program);
    auto const& basis = forecast.answer.messages();
    auto const network = single_port_of(basis.network);
    Advice advice;
    for (auto const& row : forecast.answer.rows) {
        auto& at = advice.counts.emplace_back();
        at.cpus = row.cpus;
        at.time_ns = at.completion_ns = row.time_ns;
    }
    if (forecast.answer.rows.front().time_ns > 0)
        advice.work = work_to_try(program, forecast.answer, network, question.top);
    auto const times_after = [&](Scenario const& scenario) -> Result<std::vector<std::optional<double>>> {
        auto const on = changed(network, scenario);
        if (!on)
            return pass_on(on);
        auto const after = changed(program, scenario);
        if (!after)
            return pass_on(after);
        auto const rows = step_rows(*after, *on, {basis.carries_clocks, basis.tie_seed});
        if (!rows)
            return pass_on(rows);
        std::vector<std::optional<double>> times;
        for (auto const& row : *rows)
            times.emplace_back(row.time_ns);
        return times;
    };
    auto const can_try = [](ChangeableWork const&, double) { return true; };
    if (auto const tried = try_changes(advice, can_try, times_after, question.workers); !tried)
        return pass_on(tried);
    return advice;
}

}  // namespace parcast::forecast
