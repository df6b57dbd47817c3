#include "cli/replays.h"

#include <algorithm>
#include <future>
#include <iterator>
#include <utility>

#include "cli/results_of.h"

namespace parcast::cli {

namespace {

bool has_deadlock(simulate::Run const& run) {
    return run.deadlock.has_value();
}

// One replay. A task carries what its replay throws (out of memory) over to who asks for the result.
using Task = std::packaged_task<Result<simulate::Run>()>;

std::vector<Task> tasks_for(CheckedProgram const& program, std::span<Machine const> machines,
                            simulate::Pairing pairing) {
    std::vector<Task> tasks;
    for (Machine const& machine : machines) {
        tasks.emplace_back(
            [&program, &machine, pairing] { return simulate::run(program, machine, {.pairing = pairing}); });
    }
    return tasks;
}

// The results in the order of the tasks. Errors: the first in that order.
Result<std::vector<simulate::Run>> run_all(std::vector<Task>& tasks, unsigned workers) {
    std::vector<simulate::Run> runs;
    for (auto& run : results_of(tasks, workers)) {
        if (!run) {
            return pass_on(run);
        }
        runs.push_back(std::move(*run));
    }
    return runs;
}

Result<Replays> replay_paired(simulate::Pairing pairing, CheckedProgram const& program,
                              std::span<Machine const> machines, unsigned workers) {
    std::vector<Task> tasks = tasks_for(program, machines, pairing);
    tasks.emplace_back([&] { return simulate::run_unbounded(program, pairing); });
    auto runs = run_all(tasks, workers);
    if (!runs) {
        return pass_on(runs);
    }
    simulate::Run unbounded = std::move(runs->back());
    runs->pop_back();
    return Replays{pairing, std::move(*runs), std::move(unbounded), {}};
}

}  // namespace

Result<std::vector<simulate::Run>> replay_all(ThreadProgram const& program, std::span<Machine const> machines,
                                              unsigned workers, simulate::Pairing pairing) {
    auto const checked = CheckedProgram::of(program);
    if (!checked) {
        return tl::unexpected(checked.error());
    }
    std::vector<Task> tasks = tasks_for(*checked, machines, pairing);
    return run_all(tasks, workers);
}

Result<Replays> replay_under(ModelName model, ThreadProgram const& program, std::span<Machine const> machines,
                             unsigned workers) {
    auto const checked = CheckedProgram::of(program);
    if (!checked) {
        return tl::unexpected(checked.error());
    }
    if (model == ModelName::strict) {
        return replay_paired(simulate::Pairing::recorded, *checked, machines, workers);
    }
    auto direct = replay_paired(simulate::Pairing::any, *checked, machines, workers);
    auto const deadlocks = direct ? std::ranges::count_if(direct->runs, has_deadlock) : 0;
    if (model == ModelName::direct || deadlocks == 0) {
        return direct;
    }
    auto strict = replay_paired(simulate::Pairing::recorded, *checked, machines, workers);
    if (strict && std::ranges::count_if(strict->runs, has_deadlock) >= deadlocks) {
        return direct;
    }
    if (strict) {
        std::ranges::copy_if(direct->runs, std::back_inserter(strict->abandoned), has_deadlock);
    }
    return strict;
}

}  // namespace parcast::cli
