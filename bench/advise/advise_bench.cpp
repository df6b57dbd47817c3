// Claims: weighing 4,000 segments takes at most 5 ms; a million operations on eight numbers of CPUs at most
// 1.5 s with their replay, and 100 bytes an operation; a what-if at most 1.2 replays. Beside the first, the
// method of the paper (Broberg 2002, paper VI), which integrates once more for each segment with that segment
// a little shorter.
//
//     advise_bench [ROUNDS]    (default 7)

#include <malloc.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "analysis/what_to_change.h"
#include "machine/machine.h"
#include "measure/claims.h"
#include "measure/locking_threads.h"
#include "program/work_change.h"
#include "simulate/simulate.h"

namespace {

using namespace parcast;
using namespace parcast::bench;

constexpr double milli = 1e3;
constexpr std::uint32_t counts[] = {1, 2, 4, 8, 16, 32, 64, 128};

CheckedProgram checked(ThreadProgram const& program) {
    auto result = CheckedProgram::of(program);
    if (!result)
        std::abort();
    return std::move(*result);
}

CauseGraph causes_of(CheckedProgram const& program) {
    auto run = simulate::run_unbounded(program, simulate::Pairing::any, true);
    if (!run || !run->causes)
        std::abort();
    return std::move(*run->causes);
}

// With the work that ends in `shorter` 1 ns shorter: what it dominates comes as much earlier.
std::int64_t completion_times_cpus(CauseGraph const& graph, EventNumber shorter, std::int64_t cpus,
                                   std::vector<std::int64_t>& when) {
    for (EventNumber event = 1; event < graph.size(); ++event) {
        EventNumber const above = graph.dominator(event);
        bool const moves = event == shorter || when[above] < graph.when(above).ns;
        when[event] = graph.when(event).ns - (moves ? 1 : 0);
    }
    std::vector<std::pair<std::int64_t, int>> changes;
    for (EventNumber event = 0; event < graph.size(); ++event)
        changes.emplace_back(when[event], graph.running(event));
    std::ranges::sort(changes);
    std::int64_t total = 0;
    std::int64_t running = 0;
    std::int64_t before = 0;
    for (auto const& [time, change] : changes) {
        total += (time - before) * std::max(running, cpus);
        running += change;
        before = time;
    }
    return total;
}

void print_segments(int rounds) {
    constexpr std::int64_t segments = 4'000;
    auto const program = locking_threads(8, segments);
    auto const graph = causes_of(checked(program));
    constexpr EventNumber tried = 20;  // the paper's method takes as long for each of them
    std::vector<double> ours, theirs;
    for (int round = 0; round < rounds; ++round) {
        ours.push_back(milli * seconds_of([&] { keep(analysis::ExtendedCriticalPath(graph).on(8)); }));
        std::vector<std::int64_t> when(graph.size(), 0);
        theirs.push_back(milli * segments / tried * seconds_of([&] {
                             for (EventNumber event = 1; event <= tried; ++event)
                                 keep(completion_times_cpus(graph, event, 8, when));
                         }));
    }
    print({"weights of 4,000 segments on 8 CPUs", "ms", summary_of(ours), Target{Target::Kind::at_most, 5},
           "a run for each", summary_of(theirs)});
}

void print_million(int rounds) {
    auto const program = locking_threads(16, 1'000'000);
    auto const whole = checked(program);
    std::vector<double> ours, replay, bytes;
    for (int round = 0; round < rounds; ++round) {
        auto const before = mallinfo2().uordblks + mallinfo2().hblkhd;
        ours.push_back(seconds_of([&] {
            auto const graph = causes_of(whole);
            analysis::WhatToChange const what(program, graph);
            bytes.push_back(static_cast<double>(mallinfo2().uordblks + mallinfo2().hblkhd - before) /
                            static_cast<double>(operation_count(program)));
            for (auto const cpus : counts)
                keep(what.on(cpus));
        }));
        replay.push_back(seconds_of([&] { keep(simulate::run_unbounded(whole)); }));
    }
    print({"1M operations on eight counts, with the replay", "s", summary_of(ours),
           Target{Target::Kind::at_most, 1.5}, "the replay alone", summary_of(replay)});
    print({"memory for it",
           "bytes an operation",
           summary_of(bytes),
           Target{Target::Kind::at_most, 100},
           "",
           {}});
}

void print_what_if(int rounds) {
    auto const program = locking_threads(16, 1'000'000);
    auto const machine = linux_machine(8);
    auto const scenario = parse_scenario("function:function3*0.5");
    if (!scenario)
        std::abort();
    std::vector<double> ours, replay;
    for (int round = 0; round < rounds; ++round) {
        auto const replay_s = seconds_of([&] { keep(simulate::run(program, machine)); });
        auto const changed_s = seconds_of([&] {
            auto const after = changed(program, *scenario);
            if (!after)
                std::abort();
            keep(simulate::run(*after, machine));
        });
        replay.push_back(1);
        ours.push_back(changed_s / replay_s);
    }
    print({"a change and its replay, 1M operations, linux 16 on 8", "replays", summary_of(ours),
           Target{Target::Kind::at_most, 1.2}, "a replay", summary_of(replay)});
}

}  // namespace

int main(int argc, char** argv) {
    int const rounds = argc > 1 ? std::max(1, std::atoi(argv[1])) : 7;
    print_title("what to change first");
    print_segments(rounds);
    print_million(rounds);
    print_what_if(rounds);
    return 0;
}
