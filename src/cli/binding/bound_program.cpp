#include "cli/binding/bound_program.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <thread>
#include <utility>

#include "core/counted.h"
#include "forecast/binding_limits.h"
#include "forecast/ranges.h"
#include "simulate/simulate.h"

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

// Of the best bindings, where the forecast has ranges.
Result<void> add_ranges(Bindings& bindings, forecast::Forecast const& forecast, unsigned workers) {
    if (!forecast.varied)
        return {};
    for (auto& at : bindings.counts) {
        Row const& row = *std::ranges::find(forecast.answer.rows, at.cpus, &Row::cpus);
        if (row.range)
            at.unbound_range_ns = row.range->time_ns;
        if (!at.gain())
            continue;
        std::vector<PlannedThread> plan(at.cpu_of_thread.size());
        for (std::size_t thread = 0; thread < plan.size(); ++thread)
            plan[thread].cpu = at.cpu_of_thread[thread];
        forecast::TriedTime const best{row, static_cast<double>(at.best_time()->ns)};
        auto const gains = forecast::gain_ranges(forecast, {forecast.threads(), forecast.machine, plan},
                                                 {&best, 1}, workers);
        if (!gains)
            return pass_on(gains);
        at.gain_range = gains->front();
    }
    return {};
}

}  // namespace

Result<Bindings> bindings_of(forecast::Forecast const& forecast, BindingQuestion const& question,
                             unsigned workers, std::function<void(std::string const&)> const& progress) {
    auto const& program = forecast.threads();
    auto const checked = CheckedProgram::of(program);
    if (!checked)
        return pass_on(checked);
    auto found = forecast::binding_limits(*checked, forecast, question.latency_ns);
    if (!found)
        return pass_on(found);
    auto& bindings = *found;
    bindings.most_tests = question.tests.value_or(usual_tests_of(program));
    bindings.seed = question.seed;
    for (auto& at : bindings.counts)
        at.bindings = search::binding_count(program.lists.size(), at.cpus, most_counted);

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
    if (auto const added = add_ranges(bindings, forecast, workers); !added)
        return pass_on(added);
    return bindings;
}

}  // namespace parcast::cli
