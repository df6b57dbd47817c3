// Claims: both algorithms of communication steps take an elimination of 96 x 96 blocks in 100 ms together,
// and the 28 points of Rugina and Schauser (a matrix of 960 in blocks of 10 to 160, two layouts, 8 ranks)
// take 1 s from their generation to the last one's times.
//
// messages_steps_bench [ROUNDS]    (default 5)

#include <array>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "generate/messages.h"
#include "measure/claims.h"
#include "program/step_program.h"
#include "simulate/communication_steps.h"
#include "simulate/messages/replay_messages.h"

namespace {

using namespace parcast;
using namespace parcast::bench;

constexpr double milli = 1000;
constexpr std::array<std::uint32_t, 14> blocks = {10, 12, 16, 20, 24, 30, 40, 48, 60, 64, 80, 96, 120, 160};
constexpr std::array layouts = {generate::Layout::row_cyclic, generate::Layout::diagonal};

// The paper's Meiko CS-2.
Network meiko() {
    Network network;
    network.kind = NetworkKind::loggp;
    network.values.latency_ns = 9000;
    network.values.overhead_ns = 2000;
    network.values.gap_ns = 14000;
    network.values.gap_per_byte_ns = 30;
    return network;
}

StepProgram elimination(std::uint32_t block, generate::Layout layout) {
    auto program = generate::gaussian_elimination({.blocks = {block}, .layout = layout});
    if (!program)
        std::abort();
    return std::move(*program);
}

void both_algorithms(StepProgram const& program) {
    LogGp const law(meiko().values);
    for (auto const method : {simulate::StepMethod::standard, simulate::StepMethod::overestimate})
        keep(simulate::run_steps(program, law, {.method = method}));
}

void replay_overlapped(StepProgram const& program) {
    auto run = simulate::replay_messages(overlapped(program), meiko());
    if (!run || run->is_deadlocked)
        std::abort();
    keep(std::move(*run));
}

void print_ms(std::string const& name, int rounds, std::optional<double> target, auto const& work) {
    std::vector<double> times;
    for (int round = 0; round < rounds; ++round)
        times.push_back(milli * seconds_of(work));
    print({name,
           "ms",
           summary_of(times),
           target ? std::optional(Target{Target::Kind::at_most, *target}) : std::nullopt,
           "",
           {}});
}

}  // namespace

int main(int argc, char** argv) {
    int const rounds = argc > 1 ? std::atoi(argv[1]) : 5;
    print_title("Elimination of a matrix of 960 on 8 ranks; medians of " + std::to_string(rounds) +
                " rounds, CPU time of one thread");
    for (auto const layout : layouts) {
        auto const program = elimination(10, layout);
        std::string const name =
            std::string(generate::layout_names[static_cast<std::size_t>(layout)]) + ", 96 x 96 blocks";
        print_ms(name + ", generating", rounds, {}, [&] { keep(elimination(10, layout)); });
        print_ms(name + ", both algorithms", rounds, 100, [&] { both_algorithms(program); });
        print_ms(name + ", overlapped", rounds, {}, [&] { replay_overlapped(program); });
    }
    auto const search = [](auto const& evaluate) {
        for (auto const block : blocks)
            for (auto const layout : layouts)
                evaluate(elimination(block, layout));
    };
    print_ms("28 points, both algorithms", rounds, 1000, [&] { search(both_algorithms); });
    print_ms("28 points, and overlapped", rounds, 1000, [&] {
        search([](StepProgram const& program) {
            both_algorithms(program);
            replay_overlapped(program);
        });
    });
}
