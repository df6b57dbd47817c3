// Random programs, and what the native simulator makes of them, on standard output: what module_test.mjs
// compares the module with.
//
//     output  = (record of a program (cpus 0), record of an execution*)*
//     record  = length: u32, cpus: u32, scheduler: u32, with_timeline: u32, bytes, filling
//
// The filling makes the length of a record a multiple of 8. Length 0: it was refused. With_timeline is 0 or 1
// of the program as it is, 2 of the changed one, 3 for weights by owner, 4 for those by operation.

#include <cstdint>
#include <cstdio>
#include <span>
#include <vector>

#include "support/random_program.h"
#include "view/program_bytes.h"
#include "view/replay_on_demand.h"
#include "view/work_weights.h"

namespace {

using namespace parcast;
using simulate::Pairing;

constexpr std::int64_t shown_cpus = 6;

enum Asked : std::uint32_t { changed_execution = 2, weights_by_owner, weights_by_operation };

constexpr char const* scenario = "thread:0*0.5,sleep:*0,wake-ups=free";

void write_record(view::Request const& request, std::span<std::byte const> bytes, std::uint32_t asked) {
    std::uint32_t const head[] = {static_cast<std::uint32_t>(bytes.size()), request.cpus,
                                  request.scheduler.value_or(SchedulerNumber{schedulers.size()}), asked};
    std::fwrite(head, sizeof head, 1, stdout);
    std::fwrite(bytes.data(), 1, bytes.size(), stdout);
    char const filling[8] = {};
    std::fwrite(filling, 1, (8 - bytes.size() % 8) % 8, stdout);
}

void write_execution(ThreadProgram const& program, Machine const& machine, Pairing pairing,
                     view::Request const& request) {
    auto const bytes = view::replay(program, machine, pairing, request, shown_cpus);
    write_record(request, bytes ? std::span<std::byte const>(*bytes) : std::span<std::byte const>{},
                 request.scenario.empty() ? static_cast<std::uint32_t>(request.detail) : changed_execution);
}

void write_weights(ThreadProgram const& program, Machine const& machine, Pairing pairing) {
    auto const weights = view::WorkWeights::of(program, pairing, machine);
    std::uint32_t const counts[] = {1, 2, 3};
    if (!weights)
        return;
    write_record({.cpus = 3}, (*weights)->by_owner(counts), weights_by_owner);
    write_record({.cpus = 3}, (*weights)->by_operation(3), weights_by_operation);
}

// Slower together, spinning before sleeping, every cost: all arithmetic that there is, reals among it.
Machine measured_machine() {
    auto machine = linux_machine(2);
    machine.costs = {{1'903}, {10'007}, {2'003}, {407}, {7'001}};
    machine.waiting = {.barrier_spin = {5'001}, .lock_spin = {20'011}, .condition_spin = {50'021}};
    machine.rates = {.compute = {1, 0.97, 0.9, 2.0 / 3}, .memory = {1, 0.71, 0.3333}, .memory_share = 0.3};
    return machine;
}

void write_program(std::uint64_t seed, Machine const& machine, Pairing pairing, std::uint32_t step) {
    auto const threads = static_cast<std::uint32_t>(1 + 5 * seed % 23);
    auto const program = RandomProgram(seed, {.threads = threads, .operations = 30}).make();
    write_record({.cpus = 0}, view::program_bytes(program, machine, pairing, shown_cpus), 0);
    for (std::uint32_t cpus = 1; cpus <= 64; cpus += step) {
        for (auto const detail : {view::Detail::totals, view::Detail::timeline}) {
            write_execution(program, machine, pairing, {cpus, std::nullopt, detail});
            for (SchedulerNumber scheduler = 0; scheduler < schedulers.size(); ++scheduler)
                write_execution(program, machine, pairing, {cpus, scheduler, detail});
        }
    }
    write_execution(program, machine, pairing, {.cpus = 65'535});
    write_execution(program, machine, pairing, {.cpus = 3, .scenario = scenario});
    write_weights(program, machine, pairing);
}

}  // namespace

int main() {
    write_program(1, measured_machine(), Pairing::any, 1);
    for (std::uint64_t seed = 2; seed <= 13; ++seed) {
        auto const pairing = seed % 2 == 0 ? Pairing::recorded : Pairing::any;
        write_program(seed, seed % 3 == 0 ? linux_machine(1) : measured_machine(), pairing, 7);
    }
    return std::ferror(stdout) == 0 ? 0 : 1;
}
