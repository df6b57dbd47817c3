// Claims: a search for a binding tests at least 10,000 bindings a second of one of the random programs of
// Broberg 2002, paper V, with 16 threads on 4 CPUs, on one core; what is surely reachable (paper VII) takes
// 10 ms for 79 processes on 16 CPUs, and 100 ms for 512 on 64.
//
// search_bench [ROUNDS]    (default 5)

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "generate/threads.h"
#include "measure/claims.h"
#include "model/bounds/reachable_time.h"
#include "program/checked_program.h"
#include "search/binding.h"
#include "simulate/simulate.h"

namespace {

using namespace parcast;
using namespace parcast::bench;

constexpr double milli = 1000;
constexpr std::uint32_t cpus = 4;
constexpr std::uint64_t tests = 5'000;

void find_binding_of(CheckedProgram const& program, Machine const& machine) {
    search::BindingProblem problem{{}, cpus};
    for (auto const& list : program->lists) {
        std::int64_t work = 0;
        for (auto const& operation : list)
            work += operation.work_ns;
        problem.work_ns.push_back(work);
    }
    std::vector<PlannedThread> plan(program->lists.size());
    auto const test = [&](std::vector<search::Binding> const& bindings) {
        std::vector<std::int64_t> times;
        for (auto const& binding : bindings) {
            for (std::size_t thread = 0; thread < plan.size(); ++thread)
                plan[thread].cpu = binding[thread];
            auto const run = simulate::run(program, machine, {.plan = plan});
            if (!run)
                std::abort();
            times.push_back(run->accounts.completion.ns);
        }
        return times;
    };
    auto const found =
        search::find_binding(problem, search::BindingStrategy::dynamic_start, {.tests = tests}, test);
    if (found.tests != tests)
        std::abort();
    keep(found);
}

void print_bindings(std::string const& scheduler, int rounds) {
    auto const program = generate::thread_program("transactions", 16, 2002);
    if (!program)
        std::abort();
    auto const checked = CheckedProgram::of(*program);
    auto const machine = machine_under(*scheduler_named(scheduler), cpus);
    std::vector<double> rates;
    for (int round = 0; round < rounds; ++round)
        rates.push_back(static_cast<double>(tests) / seconds_of([&] { find_binding_of(*checked, machine); }));
    print({"bindings of 16 threads to 4 CPUs, " + scheduler,
           "1/s",
           summary_of(rates),
           Target{Target::Kind::at_least, 10'000},
           "",
           {}});
}

void print_reachable(std::uint32_t processes, std::uint32_t processors, double target, int rounds) {
    model::SynchronisedProgram const program{std::vector<double>(processes, 1.0 / processes), 0.05, 1};
    std::vector<double> times;
    for (int round = 0; round < rounds; ++round)
        times.push_back(milli * seconds_of([&] { keep(model::reachable_time(program, processors)); }));
    print({"surely reachable: " + std::to_string(processes) + " processes on " + std::to_string(processors) +
               " CPUs",
           "ms",
           summary_of(times),
           Target{Target::Kind::at_most, target},
           "",
           {}});
}

}  // namespace

int main(int argc, char** argv) {
    int const rounds = argc > 1 ? std::atoi(argv[1]) : 5;
    print_title("Bindings; medians of " + std::to_string(rounds) + " rounds, CPU time of one thread");
    print_bindings("round-robin", rounds);
    print_bindings("linux", rounds);
    print_reachable(79, 16, 10, rounds);
    print_reachable(512, 64, 100, rounds);
}
