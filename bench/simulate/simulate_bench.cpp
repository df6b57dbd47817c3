// Operations replayed per second: threads that each take one of as many locks for a short time between
// pieces of private work. The share of operations that block is reported beside the rate.

#include <benchmark/benchmark.h>

#include <cstdint>
#include <random>

#include "simulate/simulate.h"

namespace {

using namespace parcast;

ThreadProgram locking_threads(std::uint32_t threads, std::int64_t operations) {
    std::mt19937_64 random(2002);
    auto const up_to = [&](std::uint64_t limit) { return static_cast<std::int64_t>(random() % limit); };
    ThreadProgram program;
    program.catalogue.threads.resize(threads);
    program.catalogue.objects.resize(threads);
    program.parameters.resize(threads);
    program.objects.resize(threads);
    program.lists.resize(threads);
    for (std::uint32_t thread = 1; thread < threads; ++thread) {
        program.lists[0].push_back(make_operation(OperationKind::create, 100, thread));
    }
    for (auto& list : program.lists) {
        list.reserve(static_cast<std::size_t>(operations / threads) + threads);
        for (std::int64_t pair = 0; pair < operations / threads / 2; ++pair) {
            auto const lock = static_cast<std::uint32_t>(random() % threads);
            list.push_back(make_operation(OperationKind::lock, up_to(10'000), lock));
            list.push_back(make_operation(OperationKind::unlock, up_to(1'000), lock));
        }
        list.push_back(make_operation(OperationKind::end, 0));
    }
    return program;
}

void replay(benchmark::State& state, Machine const& machine, bool with_timeline) {
    auto const threads = static_cast<std::uint32_t>(state.range(1));
    auto const program = locking_threads(threads, state.range(2));
    std::int64_t blocked = 0;
    for (auto _ : state) {
        auto const run = simulate::run(program, machine, {.with_timeline = with_timeline});
        blocked = 0;
        for (auto const& object : run->accounts.objects)
            blocked += object.blocked_operations;
    }
    auto const operations = static_cast<double>(operation_count(program));
    state.counters["operations"] =
        benchmark::Counter(operations, benchmark::Counter::kIsIterationInvariantRate);
    state.counters["blocked_share"] = static_cast<double>(blocked) / operations;
}

std::uint32_t cpus(benchmark::State const& state) {
    return static_cast<std::uint32_t>(state.range(0));
}

void ideal(benchmark::State& state) {
    replay(state, ideal_machine(cpus(state)), false);
}
void ideal_with_timeline(benchmark::State& state) {
    replay(state, ideal_machine(cpus(state)), true);
}
void linux_like(benchmark::State& state) {
    replay(state, linux_machine(cpus(state)), false);
}
void linux_like_with_timeline(benchmark::State& state) {
    replay(state, linux_machine(cpus(state)), true);
}

void sizes(benchmark::internal::Benchmark* each) {
    each->ArgNames({"cpus", "threads", "operations"})->Unit(benchmark::kMillisecond);
    for (std::int64_t operations : {10'000, 100'000, 1'000'000}) {
        for (std::int64_t cpus_and_threads : {1, 8, 64}) {
            each->Args({cpus_and_threads, cpus_and_threads, operations});
        }
        // More threads than processors: shares, slices and queues.
        each->Args({8, 64, operations});
    }
}

BENCHMARK(ideal)->Apply(sizes);
BENCHMARK(ideal_with_timeline)->Apply(sizes);
BENCHMARK(linux_like)->Apply(sizes);
BENCHMARK(linux_like_with_timeline)->Apply(sizes);

}  // namespace
