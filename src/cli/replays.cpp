#include "cli/replays.h"

#include <algorithm>
#include <atomic>
#include <future>
#include <thread>
#include <utility>

namespace parcast::cli {

Result<std::vector<simulate::Run>> replay_all(ThreadProgram const& program, std::span<Machine const> machines,
                                              unsigned workers) {
    // A task carries what its replay throws (out of memory) over to this thread.
    std::vector<std::packaged_task<Result<simulate::Run>()>> tasks;
    std::vector<std::future<Result<simulate::Run>>> results;
    for (Machine const& machine : machines) {
        results.push_back(tasks.emplace_back([&] { return simulate::run(program, machine); }).get_future());
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

}  // namespace parcast::cli
