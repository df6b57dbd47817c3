#include "forecast/binding_limits.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "machine/rates.h"
#include "model/bounds/binding_bound.h"
#include "model/bounds/reachable_time.h"
#include "simulate/simulate.h"
#include "timeline/parallelism.h"

namespace parcast::forecast {

namespace {

// Why the theory says nothing of the program; empty: it does.
std::string outside_the_theory(ThreadProgram const& program) {
    for (auto const& list : program.lists)
        for (auto const& operation : list) {
            auto const role = traits_of(operation.kind()).role;
            if (role == Role::takes_lock)
                return "the program takes locks";
            if (role == Role::delays)
                return "the program sleeps, or waits for input and output";
        }
    if (program.lists.size() > model::most_reachable_processes)
        return "the program has more than " + std::to_string(model::most_reachable_processes) + " threads";
    return {};
}

// How often a thread lets another one go on.
std::int64_t activations_of(ThreadProgram const& program) {
    std::int64_t activations = 0;
    for (auto const& list : program.lists)
        for (auto const& operation : list)
            switch (operation.kind()) {
                case OperationKind::create:
                case OperationKind::join:
                case OperationKind::join_any:
                case OperationKind::activate: ++activations; break;
                case OperationKind::semaphore_post:
                case OperationKind::condition_signal:
                    activations += decode_grant(operation.value).tokens;
                    break;
                case OperationKind::barrier_wait: activations += operation.value - 1; break;
                case OperationKind::condition_barrier:
                    activations +=
                        program.barriers[static_cast<std::size_t>(operation.value)].participants - 1;
                    break;
                default: break;
            }
    return activations;
}

struct Signature {
    model::SynchronisedProgram program;
    double span_ns = 0;
};

// None: it deadlocks.
Result<std::optional<Signature>> signature_of(CheckedProgram const& checked, Forecast const& forecast,
                                              std::int64_t latency_ns) {
    auto const& program = *checked;
    auto const threads = static_cast<std::uint32_t>(program.lists.size());
    auto machine = ideal_machine(threads);
    machine.waiting = forecast.machine.waiting;
    auto const run = simulate::run(checked, machine, {.with_timeline = true, .pairing = forecast.pairing});
    if (!run)
        return pass_on(run);
    if (run->deadlock)
        return std::optional<Signature>();
    Signature signature;
    signature.span_ns = static_cast<double>(run->accounts.completion.ns);
    signature.program.profile.resize(threads);
    auto const steps = parallelism(*run->timeline->intervals, threads, run->accounts.completion);
    for (std::size_t step = 0; step < steps.size() && signature.span_ns > 0; ++step) {
        auto const end =
            step + 1 < steps.size() ? steps[step + 1].begin : Instant{} + run->accounts.completion;
        auto const running = std::max(1U, steps[step].running);
        signature.program.profile[running - 1] +=
            static_cast<double>((end - steps[step].begin).ns) / signature.span_ns;
    }
    if (signature.span_ns <= 0)
        signature.program.profile[0] = 1;
    auto const work = static_cast<double>(work_ns(program));
    signature.program.granularity = work > 0 ? static_cast<double>(activations_of(program)) / work : 0;
    signature.program.latency = static_cast<double>(latency_ns);
    return std::optional(std::move(signature));
}

Result<void> add_reachable(Bindings& bindings, CheckedProgram const& program, Forecast const& forecast,
                           std::int64_t latency_ns) {
    bindings.no_reachable = outside_the_theory(*program);
    auto const rates = speeds(forecast.machine.rates);
    if (bindings.no_reachable.empty() && std::ranges::any_of(rates, [](double speed) { return speed < 1; }))
        bindings.no_reachable = "busy CPUs of this machine slow each other down";
    if (!bindings.no_reachable.empty())
        return {};
    auto const signature = signature_of(program, forecast, latency_ns);
    if (!signature)
        return pass_on(signature);
    if (!*signature) {
        bindings.no_reachable = "the program deadlocks with a CPU for each thread";
        return {};
    }
    auto const& known = **signature;
    for (auto& at : bindings.counts) {
        auto found = model::reachable_time(known.program, at.cpus);
        if (!found)
            return pass_on(found);
        at.reachable = {found->factor,
                        found->factor * known.span_ns,
                        static_cast<std::uint32_t>(known.program.profile.size()),
                        known.program.granularity,
                        known.program.latency,
                        known.program.profile,
                        std::move(found->allocation),
                        found->evaluations};
    }
    return {};
}

double fastest(Machine const& machine) {
    auto const rates = speeds(machine.rates);
    return rates.empty() ? 1 : std::max(1.0, *std::ranges::max_element(rates));
}

}  // namespace

Result<Bindings> binding_limits(CheckedProgram const& program, Forecast const& forecast,
                                std::int64_t latency_ns) {
    Bindings bindings;
    auto bounds = model::thread_bounds(*program);
    if (forecast.pairing == simulate::Pairing::client_server)  // threads act in another order
        bounds.span = bounds.lock_time = Duration{0};
    auto const speed = fastest(forecast.machine);
    for (auto const& row : forecast.answer.rows) {
        if (row.cpus == 1)
            continue;
        BindingOnCpus at;
        at.cpus = row.cpus;
        if (!row.run.deadlock)
            at.unbound = row.run.accounts.completion;
        auto const bound = model::binding_bound(bounds, row.cpus);
        // Sleeping is no faster on a faster processor.
        at.lower_bound = Duration{static_cast<std::int64_t>(static_cast<double>(bound.time.ns) / speed)};
        at.lower_bound_by = model::binding_bounds[static_cast<std::size_t>(bound.by)];
        at.lock = bound.lock;
        bindings.counts.push_back(std::move(at));
    }
    if (auto const added = add_reachable(bindings, program, forecast, latency_ns); !added)
        return pass_on(added);
    return bindings;
}

}  // namespace parcast::forecast
