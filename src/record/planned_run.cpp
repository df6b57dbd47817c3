#include "record/planned_run.h"

#include <utility>

#include "record/start.h"

namespace parcast::record {

Result<PlannedRun> run_planned(ThreadPlan const& plan, std::vector<std::string> const& command,
                               std::vector<unsigned> const& cpus) {
    auto program = find_host_program(command.front());
    if (!program)
        return pass_on(program);
    if (auto reason = reason_not_to_preload(*program))
        return fail(std::move(*reason));
    auto chosen = choose_cpus(cpus);
    if (!chosen)
        return pass_on(chosen);
    auto const binder = ThreadBinder::create(plan, *program, *chosen);
    if (!binder)
        return pass_on(binder);
    constexpr Duration seldom{60'000'000'000};
    auto const end =
        run_to_end({*program, command, binder->environment(), std::move(*chosen), {}, SignalsAreFor::program},
                   [] { return Pause{seldom}; });
    if (!end)
        return pass_on(end);
    return PlannedRun{std::move(*program), *end, binder->notices()};
}

}  // namespace parcast::record
