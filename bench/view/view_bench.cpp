// Claim: laying out an execution for the page takes no longer than replaying it: at least 2 million intervals
// a second, with all levels of detail, for 1 and 10 million intervals. 64 threads on 16 CPUs sleep and
// compute, so that each operation makes two to four intervals. Beside it, the replay that gave the execution.
//
//     view_bench [ROUNDS]    (default 5)

#include <cstdint>
#include <cstdlib>
#include <random>
#include <string>

#include "measure/claims.h"
#include "simulate/simulate.h"
#include "view/execution.h"

namespace {

using namespace parcast;
using namespace parcast::bench;

constexpr std::uint32_t threads = 64;
constexpr std::uint32_t cpus = 16;

ThreadProgram sleeping_threads(std::int64_t sleeps) {
    std::mt19937_64 random(2003);
    auto const up_to = [&](std::uint64_t limit) { return static_cast<std::int64_t>(random() % limit); };
    ThreadProgram program;
    program.catalogue.threads.resize(threads);
    program.parameters.resize(threads);
    program.lists.resize(threads);
    for (std::uint32_t thread = 1; thread < threads; ++thread)
        program.lists[0].push_back(make_operation(OperationKind::create, 100, thread));
    for (auto& list : program.lists) {
        for (std::int64_t sleep = 0; sleep < sleeps / threads; ++sleep) {
            list.push_back(
                make_operation(OperationKind::delay, up_to(20'000), 0xffffffff, 1 + up_to(100'000)));
        }
        list.push_back(make_operation(OperationKind::end, 0));
    }
    return program;
}

void print_layout(std::int64_t sleeps, int rounds) {
    auto const program = sleeping_threads(sleeps);
    auto const machine = linux_machine(cpus);
    auto const options = view::options_for_view(program, simulate::Pairing::any);
    auto const run = simulate::run(program, machine, options);
    if (!run || run->deadlock)
        std::abort();
    auto const intervals = static_cast<double>(run->timeline->intervals->size());
    auto const size = view::execution_bytes(*run, program, machine, simulate::Pairing::any).size();
    auto const rates = rates_in_turn(
        intervals / 1e6, rounds,
        [&] { keep(view::execution_bytes(*run, program, machine, simulate::Pairing::any)); },
        [&] { keep(simulate::run(program, machine, options)); });
    std::string const name = std::to_string(run->timeline->intervals->size() / 1000) + "k intervals, " +
                             std::to_string(size / run->timeline->intervals->size()) + " bytes each";
    print({name, "M/s", rates.subject, Target{Target::Kind::at_least, 2}, "replay", rates.baseline});
}

}  // namespace

int main(int argc, char** argv) {
    int const rounds = argc > 1 ? std::atoi(argv[1]) : 5;
    print_title("Executions of 64 threads on 16 CPUs laid out for the page; medians of " +
                std::to_string(rounds) + " rounds, CPU time of one thread; replay: the replay that gave it");
    for (std::int64_t const sleeps : {30'000, 300'000, 3'000'000})
        print_layout(sleeps, rounds);
}
