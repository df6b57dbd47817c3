#include "forecast/open_naps.h"

#include <algorithm>

#include "simulate/simulate.h"

namespace parcast::forecast {

namespace {

bool is_open_nap(Operation const& operation, Polling const& polling) {
    return !polling.is_understood && operation.kind() == OperationKind::delay &&
           operation.object_id().is_none() && operation.site() == polling.site;
}

ThreadProgram without_open_naps(ThreadProgram program) {
    for (auto& list : program.lists)
        for (Operation& each : list)
            if (std::ranges::any_of(program.polling, [&](auto const& at) { return is_open_nap(each, at); }))
                each.value = 0;
    return program;
}

// None: it deadlocks.
Result<std::optional<double>> time_of(CheckedProgram const& program, Forecast const& forecast,
                                      std::uint32_t cpus) {
    auto const run = simulate::run(program, with_cpus(forecast.machine, cpus), {.pairing = forecast.pairing});
    if (!run)
        return pass_on(run);
    bool const ends = !run->deadlock && run->accounts.completion.ns > 0;
    return ends ? std::optional(to_real(run->accounts.completion).ns) : std::nullopt;
}

}  // namespace

Result<void> reach_without_open_naps(Forecast& forecast) {
    if (std::ranges::all_of(forecast.threads().polling, &Polling::is_understood))
        return {};
    auto const program = without_open_naps(forecast.threads());
    auto const checked = CheckedProgram::of(program);
    if (!checked)
        return pass_on(checked);
    auto const one = time_of(*checked, forecast, 1);
    if (!one)
        return pass_on(one);
    for (auto& row : forecast.answer.rows) {
        auto const time = time_of(*checked, forecast, row.cpus);
        if (!time)
            return pass_on(time);
        if (!row.range || !*time)
            continue;
        row.range->time_ns.low = std::min(row.range->time_ns.low, **time);
        if (row.cpus > 1 && *one)
            row.range->speed_up.high = std::max(row.range->speed_up.high, **one / **time);
    }
    return {};
}

}  // namespace parcast::forecast
