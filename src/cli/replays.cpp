#include "cli/replays.h"

#include <algorithm>
#include <atomic>
#include <future>
#include <iterator>
#include <thread>
#include <utility>

namespace parcast::cli {

namespace {

bool has_deadlock(simulate::Run const& run) {
    return run.deadlock.has_value();
}

Result<Replays> replay_paired(simulate::Pairing pairing, ThreadProgram const& program,
                              std::span<Machine const> machines, unsigned workers) {
    auto runs = replay_all(program, machines, workers, pairing);
    if (!runs) {
        return pass_on(runs);
    }
    auto unbounded = simulate::run_unbounded(program, pairing);
    if (!unbounded) {
        return pass_on(unbounded);
    }
    return Replays{pairing, std::move(*runs), std::move(*unbounded), {}};
}

}  // namespace

Result<std::vector<simulate::Run>> replay_all(ThreadProgram const& program, std::span<Machine const> machines,
                                              unsigned workers, simulate::Pairing pairing) {
    // A task carries what its replay throws (out of memory) over to this thread.
    std::vector<std::packaged_task<Result<simulate::Run>()>> tasks;
    std::vector<std::future<Result<simulate::Run>>> results;
    for (Machine const& machine : machines) {
        results.push_back(
            tasks.emplace_back([&] { return simulate::run(program, machine, {.pairing = pairing}); })
                .get_future());
    }
    std::atomic<std::size_t> next{0};
    auto const work = [&] {
        for (std::size_t i = next++; i < tasks.size(); i = next++) {
            tasks[i]();
        }
    };
    {
        std::vector<std::jthread> others;
        for (std::size_t i = 1; i < std::min<std::size_t>(workers, tasks.size()); ++i) {
            others.emplace_back(work);
        }
        work();
    }
    std::vector<simulate::Run> runs;
    for (auto& result : results) {
        auto run = result.get();
        if (!run) {
            return pass_on(run);
        }
        runs.push_back(std::move(*run));
    }
    return runs;
}

Result<Replays> replay_under(ModelName model, ThreadProgram const& program, std::span<Machine const> machines,
                             unsigned workers) {
    if (model == ModelName::strict) {
        return replay_paired(simulate::Pairing::recorded, program, machines, workers);
    }
    auto direct = replay_paired(simulate::Pairing::any, program, machines, workers);
    auto const deadlocks = direct ? std::ranges::count_if(direct->runs, has_deadlock) : 0;
    if (model == ModelName::direct || deadlocks == 0) {
        return direct;
    }
    auto strict = replay_paired(simulate::Pairing::recorded, program, machines, workers);
    if (strict && std::ranges::count_if(strict->runs, has_deadlock) >= deadlocks) {
        return direct;
    }
    if (strict) {
        std::ranges::copy_if(direct->runs, std::back_inserter(strict->abandoned), has_deadlock);
    }
    return strict;
}

}  // namespace parcast::cli
