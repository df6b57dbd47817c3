// Claim: a run of a process model with contention makes 20 M times and uses a second on one CPU. The machine
// repair model with few and with many clients, in thin air and near saturation; beside it the same model
// written by hand on std::priority_queue.
//
//     ensemble_bench [ROUNDS]    (default 5)

#include <cstdint>
#include <cstdlib>
#include <string>

#include "ensemble/engine.h"
#include "measure/claims.h"
#include "naive_clients.h"
#include "support/process_model_builder.h"

namespace {

using namespace parcast;
using namespace parcast::bench;

constexpr double operations = 2e6;

struct Case {
    std::uint32_t clients;
    double think;
    double service;
};

ensemble::Plan plan_of(Case const& one, double turns) {
    ProcessModelBuilder build;
    auto const server = build.resource("s", 0, 1);
    auto const turn = build.sequence(
        {build.delay(build.exponential(one.think)), build.use(server, build.exponential(one.service))});
    return *ensemble::plan_of(build.model(), build.copies(one.clients, build.repeat(turns, turn)), {});
}

void print_case(Case const& one, int rounds) {
    double const turns = operations / 2 / one.clients;
    auto const plan = plan_of(one, turns);
    ensemble::Engine engine(plan);
    std::uint64_t run = 0;
    auto const rates = rates_in_turn(
        operations / 1e6, rounds, [&] { keep(engine.run(1, ++run)); },
        [&] {
            keep(
                naive_clients(one.clients, static_cast<std::uint64_t>(turns), one.think, one.service, ++run));
        });
    print({std::to_string(one.clients) + " clients, load " +
               std::to_string(static_cast<int>(100 * one.clients * one.service / (one.think + one.service))) +
               " %",
           "M/s", rates.subject, Target{Target::Kind::at_least, 20}, "by hand", rates.baseline});
}

}  // namespace

int main(int argc, char** argv) {
    int const rounds = argc > 1 ? std::atoi(argv[1]) : 5;
    print_title("Machine repair, 2 M exponential times and uses a run; medians of " + std::to_string(rounds) +
                " rounds, CPU time of one thread");
    for (Case const one : {Case{10, 10, 0.1}, Case{100, 10, 0.1}, Case{1000, 100, 0.1}, Case{1000, 10, 0.1}})
        print_case(one, rounds);
}
