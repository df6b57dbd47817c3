// Claim: at least 25 million recorded operations a second for 8 threads on 8 CPUs under linux, 15 for 64 on
// 64, 10 and 5 under other schedulers, 5 with a timeline; how much slower a machine whose CPUs slow each
// other down is replayed; and 5 million under the client-server model. The threads take one of as many
// locks for a short time between pieces of private work; some 4 % of the operations wait. Beside it, the
// textbook event loop (measure/heap_loop.h) with an event for each operation and one pending for each CPU:
// what a simulator that knows nothing of threads would need; and SimGrid, where it is installed, with an
// actor for each thread (simgrid_replay.h).
//
//     simulate_bench [ROUNDS]    (default 7)

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "measure/claims.h"
#include "measure/heap_loop.h"
#include "measure/locking_threads.h"
#include "simulate/simgrid_replay.h"
#include "simulate/simulate.h"
#include "simulate/takes_on_one_cpu.h"

namespace {

using namespace parcast;
using namespace parcast::bench;

constexpr double million = 1e6;

struct Case {
    char const* scheduler;
    std::uint32_t cpus;
    std::uint32_t threads;
    std::int64_t operations;
    bool with_timeline;
    std::optional<double> target;  // million operations a second
};

// Another speed for each number of busy CPUs: 1 alone, and falling to a half.
Rates falling_rates(std::uint32_t cpus) {
    Rates rates;
    for (std::uint32_t busy = 1; busy <= cpus; ++busy)
        rates.compute.push_back(1 - 0.5 * (busy - 1) / cpus);
    return rates;
}

void print_replay(Case const& test, int rounds) {
    auto const program = locking_threads(test.threads, test.operations);
    auto const machine = machine_under(*scheduler_named(test.scheduler), test.cpus);
    auto const operations = static_cast<double>(operation_count(program));
    auto const rates = rates_in_turn(
        operations, rounds,
        [&] {
            auto const run = simulate::run(program, machine, {.with_timeline = test.with_timeline});
            if (!run || run->deadlock)
                std::abort();
            keep(*run);
        },
        [&] { keep(heap_loop(operation_count(program), test.cpus)); });
    auto const in_millions = [](Measured rate) {
        return Measured{rate.median / million, rate.lowest / million, rate.highest / million};
    };
    std::string const name = std::string(test.scheduler) + " " + std::to_string(test.threads) + " on " +
                             std::to_string(test.cpus) + ", " + std::to_string(test.operations / 1000) + "k" +
                             (test.with_timeline ? ", timeline" : "");
    std::optional<Target> target;
    if (test.target)
        target = Target{Target::Kind::at_least, *test.target};
    print({name, "M ops/s", in_millions(rates.subject), target, "heap", in_millions(rates.baseline)});
}

// With rates, beside the same machine without: each change of the number of busy CPUs changes when all of
// them are done.
void print_with_rates(std::uint32_t threads, std::uint32_t cpus, std::int64_t operations, int rounds) {
    auto const program = locking_threads(threads, operations);
    Machine const flat = linux_machine(cpus);
    Machine falling = flat;
    falling.rates = falling_rates(cpus);
    auto const replay_on = [&](Machine const& machine) {
        auto const run = simulate::run(program, machine, {});
        if (!run || run->deadlock)
            std::abort();
        keep(*run);
    };
    auto const rates = rates_in_turn(
        static_cast<double>(operation_count(program)) / million, rounds, [&] { replay_on(falling); },
        [&] { replay_on(flat); });
    std::string const name = "linux " + std::to_string(threads) + " on " + std::to_string(cpus) + ", " +
                             std::to_string(operations / 1000) + "k, with rates";
    print({name, "M ops/s", rates.subject, {}, "without", rates.baseline});
}

// Every other thread is a server of all clients, which send requests and wait for the answer. REQUIRES: an
// even number of threads, from 4.
ThreadProgram servers_and_clients(std::uint32_t threads, std::int64_t operations) {
    ThreadProgram program;
    program.catalogue.threads.resize(threads);
    program.lists.resize(threads);
    program.parameters.resize(threads);
    auto const servers = threads / 2;
    for (std::uint32_t thread = 0; thread < threads; ++thread)
        program.parameters[thread].at_start = thread > 0;
    for (std::int64_t request = 0; request < operations / 4; ++request) {
        auto const server = static_cast<std::uint32_t>(request % servers);
        auto const client = servers + static_cast<std::uint32_t>((request + request / servers) % servers);
        std::int64_t const work = 1'000 + request * 7'919 % 1'000;
        program.lists[client].push_back(make_operation(OperationKind::activate, work, server));
        program.lists[client].push_back(make_operation(OperationKind::accept, 0));
        program.lists[server].push_back(make_operation(OperationKind::accept, 0));
        program.lists[server].push_back(make_operation(OperationKind::activate, work, client));
    }
    for (auto& list : program.lists)
        list.push_back(make_operation(OperationKind::end, 0));
    return program;
}

// Every operation is a rendezvous, and every other one waits.
void print_models(std::uint32_t threads, std::int64_t operations, int rounds) {
    auto program = servers_and_clients(threads, operations);
    if (auto const known = simulate::take_as_on_one_cpu(program); !known || !*known)
        std::abort();
    auto const replay_under = [&](simulate::Pairing pairing) {
        auto const run = simulate::run(program, linux_machine(threads), {.pairing = pairing});
        if (!run || run->deadlock)
            std::abort();
        keep(*run);
    };
    auto const rates = rates_in_turn(
        static_cast<double>(operation_count(program)) / million, rounds,
        [&] { replay_under(simulate::Pairing::client_server); },
        [&] { replay_under(simulate::Pairing::recorded); });
    std::string const name = "client-server " + std::to_string(threads) + " on " + std::to_string(threads) +
                             ", " + std::to_string(operations / 1000) + "k";
    print({name, "M ops/s", rates.subject, Target{Target::Kind::at_least, 5}, "strict", rates.baseline});
}

// The same program in SimGrid. The ideal scheduler with a CPU for each thread does what SimGrid does with a
// host for each actor: both must predict the same time.
void print_beside_simgrid(std::uint32_t threads, std::int64_t operations, int rounds) {
    auto const program = locking_threads(threads, operations);
    auto const count = static_cast<double>(operation_count(program));
    std::vector<double> ours, theirs;
    for (int round = 0; round < rounds; ++round) {
        auto run = simulate::run(program, ideal_machine(threads));
        ours.push_back(count / million /
                       seconds_of([&] { run = simulate::run(program, ideal_machine(threads)); }));
        auto const replay = replay_in_simgrid(program);
        auto const completion_s = 1e-9 * static_cast<double>(run->accounts.completion.ns);
        if (!replay || std::abs(replay->completion_s - completion_s) > 1e-3 * completion_s) {
            std::printf("SimGrid predicts another time: %.9g instead of %.9g s\n",
                        replay ? replay->completion_s : 0, completion_s);
            std::exit(EXIT_FAILURE);
        }
        theirs.push_back(count / million / replay->cpu_s);
    }
    std::string const name = "ideal " + std::to_string(threads) + " on " + std::to_string(threads) + ", " +
                             std::to_string(operations / 1000) + "k, as in SimGrid";
    print({name, "M ops/s", summary_of(ours), {}, "SimGrid", summary_of(theirs)});
}

}  // namespace

int main(int argc, char** argv) {
    int const rounds = argc > 1 ? std::atoi(argv[1]) : 7;
    print_title("Replays of THREADS on CPUS; medians of " + std::to_string(rounds) +
                " rounds, CPU time of one thread; heap: M events/s of an event loop on std::priority_queue");
    Case const cases[] = {
        {"linux", 8, 8, 1'000'000, false, 25},
        {"linux", 8, 8, 1'000'000, true, 5},
        {"linux", 64, 64, 1'000'000, false, 15},
        {"linux", 64, 64, 1'000'000, true, std::nullopt},
        {"linux", 8, 64, 1'000'000, false, std::nullopt},  // shares, slices and queues
        {"linux", 1, 8, 1'000'000, false, std::nullopt},
        {"linux", 8, 8, 10'000, false, std::nullopt},
        {"linux", 8, 8, 100'000, false, std::nullopt},
        {"ideal", 8, 8, 1'000'000, false, 10},
        {"ideal", 8, 8, 1'000'000, true, 5},
        {"ideal", 64, 64, 1'000'000, false, 5},
        {"ideal", 8, 64, 1'000'000, false, std::nullopt},
        {"round-robin", 8, 8, 1'000'000, false, 10},
        {"round-robin", 8, 8, 1'000'000, true, 5},
        {"round-robin", 64, 64, 1'000'000, false, std::nullopt},
        {"round-robin", 8, 64, 1'000'000, false, std::nullopt},
        {"round-robin", 1, 8, 1'000'000, false, std::nullopt},
        {"linux-2.2", 8, 8, 1'000'000, false, 10},
        {"linux-2.2", 8, 64, 1'000'000, false, std::nullopt},
        {"fibers", 8, 8, 1'000'000, false, 5},
        {"fibers", 8, 64, 1'000'000, false, std::nullopt},
        {"two-level", 8, 64, 1'000'000, false, std::nullopt},  // one LWP
    };
    for (Case const& test : cases)
        print_replay(test, rounds);
    print_with_rates(8, 8, 1'000'000, rounds);
    print_with_rates(64, 64, 1'000'000, rounds);
    print_with_rates(64, 8, 1'000'000, rounds);
    print_models(8, 1'000'000, rounds);
    if (!has_simgrid) {
        std::puts(
            "No comparison with SimGrid: it was not there when this was built (package libsimgrid-dev).");
        return EXIT_SUCCESS;
    }
    print_beside_simgrid(8, 100'000, rounds);
    print_beside_simgrid(64, 100'000, rounds);
}
