#include "simulate/simulate.h"

#include <algorithm>
#include <numeric>
#include <string>
#include <variant>

#include "simulate/run_under.h"

namespace parcast::simulate {

namespace {

// Accounts hold processors x time in an int64; half of its range is left for what sums round up.
constexpr double longest_account_ns = 0x1p62;

// What an operation of a bound thread may cost.
Duration most_for_bound_thread(Scheduler const& scheduler) {
    auto const* const two_level = std::get_if<TwoLevelScheduler>(&scheduler);
    if (two_level == nullptr)
        return {0};
    return {std::max(two_level->create.ns * two_level->bound_create_percent,
                     two_level->synchronise.ns * two_level->bound_synchronise_percent) /
            100};
}

// No run lasts longer than if one processor did everything at the lowest speed, all operations paid every
// cost, and no waits overlapped.
Result<void> check_accounts_fit(CheckedProgram const& program, Machine const& machine,
                                Variation const* variation) {
    auto const ns = [](Duration duration) { return static_cast<double>(duration.ns); };
    auto const rates = speeds(machine.rates);
    auto const slowest =
        std::accumulate(rates.begin(), rates.end(), 1.0, [](double a, double b) { return std::min(a, b); });
    auto const& costs = machine.costs;
    auto const each = ns(costs.context_switch) + ns(costs.wake_up) + ns(costs.wake_waiter) +
                      ns(costs.wake_up_soon) + ns(costs.wake_waiter_soon) + ns(costs.wake_up_same_cpu) +
                      ns(costs.create_thread) + ns(costs.event_delay) +
                      2 * ns(costs.hot_handover) +  // a line may have to arrive before it is sent on
                      ns(most_for_bound_thread(machine.scheduler));
    // Refills take at most half of a slice, so no longer than the work that the slices are for.
    auto const with_refills = program->refill.ns > 0 ? 2.0 : 1.0;
    auto const operations = static_cast<double>(operation_count(*program));
    auto const work = variation == nullptr ? ns(program.work())
                                           : ns(program.work()) * (1 + variation->jitter) +
                                                 std::max(variation->event_ns, 0.0) * operations;
    auto const longest = with_refills * work / slowest + ns(program.waiting()) + each * operations;
    if (longest * machine.cpus <= longest_account_ns)
        return {};
    return fail(ErrorCode::out_of_range,
                "too large: " + std::to_string(machine.cpus) +
                    " processors may take longer for this program than accounts can hold; use fewer");
}

Result<void> check_plan(ThreadProgram const& program, std::span<PlannedThread const> plan,
                        std::uint32_t cpus) {
    if (!plan.empty() && plan.size() != program.lists.size())
        return fail(ErrorCode::out_of_range, "a plan for " + std::to_string(plan.size()) +
                                                 " threads; there are " +
                                                 std::to_string(program.lists.size()));
    for (std::size_t thread = 0; thread < plan.size(); ++thread)
        if (plan[thread].cpu && *plan[thread].cpu >= cpus)
            return fail(ErrorCode::out_of_range, "the plan has thread " + std::to_string(thread) +
                                                     " on CPU " + std::to_string(*plan[thread].cpu) +
                                                     "; there are CPUs 0 to " + std::to_string(cpus - 1));
    return {};
}

}  // namespace

Result<Run> run(CheckedProgram const& program, Machine const& machine, ReplayOptions const& options) {
    if (auto checked = check(machine); !checked)
        return pass_on(checked);
    if (auto checked = check_accounts_fit(program, machine, options.variation); !checked)
        return pass_on(checked);
    if (auto checked = check_plan(*program, options.plan, machine.cpus); !checked)
        return pass_on(checked);
    return std::visit([&](auto const& scheduler) { return run_under(scheduler, *program, machine, options); },
                      machine.scheduler);
}

Result<Run> run(ThreadProgram const& program, Machine const& machine, ReplayOptions const& options) {
    auto checked = CheckedProgram::of(program);
    return checked ? run(*checked, machine, options) : Result<Run>(pass_on(checked));
}

Result<Run> run_unbounded(CheckedProgram const& program, Pairing pairing, bool with_causes,
                          Waiting const& waiting) {
    auto machine = ideal_machine(static_cast<std::uint32_t>(program->lists.size()));
    machine.waiting = waiting;
    if (auto checked = check_accounts_fit(program, machine, nullptr); !checked)
        return pass_on(checked);
    return run_under(IdealScheduler{}, *program, machine, {.with_causes = with_causes, .pairing = pairing});
}

}  // namespace parcast::simulate
