#include "cli/binding/bound_program.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <thread>
#include <utility>

#include "core/counted.h"
#include "machine/rates.h"
#include "model/bounds/binding_bound.h"
#include "model/bounds/reachable_time.h"
#include "simulate/simulate.h"
#include "timeline/parallelism.h"

namespace parcast::cli {

namespace {

using search::Binding;
using search::BindingStrategy;

// A search takes about as long for a large program as for a small one.
constexpr std::int64_t usual_operations = 300'000'000;
constexpr std::int64_t fewest_tests = 30;
constexpr std::int64_t usual_tests = 2'000;
constexpr std::uint64_t most_counted = 1'000'000'000'000'000'000;

std::uint64_t usual_tests_of(ThreadProgram const& program) {
    auto const operations = std::max<std::int64_t>(1, operation_count(program));
    return static_cast<std::uint64_t>(std::clamp(usual_operations / operations, fewest_tests, usual_tests));
}

// Replays the program with its threads bound; several may do so at once.
class Tester {
public:
    Tester(CheckedProgram const& program, forecast::Forecast const& forecast, std::uint32_t cpus)
        : program_(program), forecast_(forecast), cpus_(cpus) {}

    std::vector<std::int64_t> operator()(std::vector<Binding> const& bindings) {
        std::vector<std::int64_t> times;
        for (auto const& binding : bindings)
            times.push_back(time_of(binding));
        return times;
    }
    std::optional<Error> const& error() const { return error_; }

private:
    std::int64_t time_of(Binding const& binding) {
        plan_.resize(binding.size());
        for (std::size_t thread = 0; thread < binding.size(); ++thread)
            plan_[thread].cpu = binding[thread];
        auto const cpus = std::max(cpus_, *std::ranges::max_element(binding) + 1);
        auto const run = simulate::run(program_, with_cpus(forecast_.machine, cpus),
                                       {.pairing = forecast_.pairing, .plan = plan_});
        if (!run) {
            error_ = run.error();
            return search::no_time;
        }
        return run->deadlock ? search::no_time : run->accounts.completion.ns;
    }

    CheckedProgram const& program_;
    forecast::Forecast const& forecast_;
    std::uint32_t cpus_;
    std::vector<PlannedThread> plan_;
    std::optional<Error> error_;
};

// --- what is surely reachable

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
Result<std::optional<Signature>> signature_of(CheckedProgram const& checked,
                                              forecast::Forecast const& forecast, std::int64_t latency_ns) {
    auto const& program = *checked;
    auto const threads = static_cast<std::uint32_t>(program.lists.size());
    auto const run =
        simulate::run(checked, ideal_machine(threads), {.with_timeline = true, .pairing = forecast.pairing});
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

Result<void> add_reachable(Bindings& bindings, CheckedProgram const& program,
                           forecast::Forecast const& forecast, std::int64_t latency_ns) {
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

// --- the search

// One algorithm on one count.
struct Job {
    std::size_t count = 0;
    BindingStrategy algorithm = BindingStrategy::binpack;
    search::FoundBinding found = {};
    std::optional<Error> error = std::nullopt;
};

std::vector<Job> jobs_for(Bindings const& bindings, BindingQuestion const& question) {
    std::vector<Job> jobs;
    for (std::size_t count = 0; count < bindings.counts.size(); ++count) {
        auto const& at = bindings.counts[count];
        bool const all_fit = at.bindings && *at.bindings <= bindings.most_tests;
        for (std::size_t row = 0; row < search::binding_strategies.size(); ++row) {
            auto const algorithm = static_cast<BindingStrategy>(row);
            bool const is_asked = question.algorithm ? *question.algorithm == algorithm
                                                     : algorithm != BindingStrategy::exhaustive || all_fit;
            if (is_asked)
                jobs.push_back({count, algorithm});
        }
    }
    return jobs;
}

void work_on(Job& job, Bindings const& bindings, search::BindingProblem problem,
             CheckedProgram const& program, forecast::Forecast const& forecast) {
    problem.processors = bindings.counts[job.count].cpus;
    Tester tester(program, forecast, problem.processors);
    job.found =
        search::find_binding(problem, job.algorithm, {bindings.most_tests, bindings.seed}, std::ref(tester));
    job.error = tester.error();
}

void take(BindingOnCpus& at, Job const& job) {
    auto const& found = job.found;
    auto const time =
        found.time_ns == search::no_time ? std::nullopt : std::optional(Duration{found.time_ns});
    at.tried.push_back(
        {search::binding_strategies[static_cast<std::size_t>(job.algorithm)].word, time, found.tests});
    at.tried_all = at.tried_all || found.is_best_of_all;
    if (time && (at.cpu_of_thread.empty() || *time < *at.best_time())) {
        at.best = at.tried.size() - 1;
        at.cpu_of_thread = found.binding;
    }
}

double fastest(Machine const& machine) {
    auto const rates = speeds(machine.rates);
    return rates.empty() ? 1 : std::max(1.0, *std::ranges::max_element(rates));
}

}  // namespace

Result<Bindings> bindings_of(forecast::Forecast const& forecast, BindingQuestion const& question,
                             unsigned workers, std::function<void(std::string const&)> const& progress) {
    auto const& program = forecast.threads();
    auto const checked = CheckedProgram::of(program);
    if (!checked)
        return pass_on(checked);
    Bindings bindings;
    bindings.most_tests = question.tests.value_or(usual_tests_of(program));
    bindings.seed = question.seed;
    auto bounds = model::thread_bounds(program);
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
        at.bindings = search::binding_count(program.lists.size(), row.cpus, most_counted);
        bindings.counts.push_back(std::move(at));
    }
    if (auto const added = add_reachable(bindings, *checked, forecast, question.latency_ns); !added)
        return pass_on(added);

    search::BindingProblem problem;
    for (auto const& list : program.lists) {
        std::int64_t work = 0;
        for (auto const& operation : list)
            work += operation.work_ns;
        problem.work_ns.push_back(work);
    }
    auto jobs = jobs_for(bindings, question);
    std::atomic<std::size_t> begun{0};
    auto const work = [&](bool says_so) {
        for (auto i = begun++; i < jobs.size(); i = begun++) {
            if (says_so)
                progress("binding " + counted(static_cast<std::int64_t>(problem.work_ns.size()), "thread") +
                         " to " + std::to_string(bindings.counts[jobs[i].count].cpus) + " CPUs: " +
                         std::string(
                             search::binding_strategies[static_cast<std::size_t>(jobs[i].algorithm)].word));
            work_on(jobs[i], bindings, problem, *checked, forecast);
        }
    };
    {
        std::vector<std::jthread> others;
        for (std::size_t i = 1; i < std::min<std::size_t>(workers, jobs.size()); ++i)
            others.emplace_back(work, false);
        work(true);
    }
    for (auto const& job : jobs) {
        if (job.error)
            return fail(*job.error);
        take(bindings.counts[job.count], job);
    }
    return bindings;
}

}  // namespace parcast::cli
