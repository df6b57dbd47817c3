// Runs tasks on several threads at once and gathers their results.

#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <future>
#include <thread>
#include <vector>

namespace parcast::forecast {

// The results in the order of the tasks, whatever the number of workers. What a task throws (out of memory)
// is thrown here, for the first one in that order. REQUIRES: workers >= 1.
template <class T>
std::vector<T> results_of(std::vector<std::packaged_task<T()>>& tasks, unsigned workers) {
    // The first one, on one CPU, which speed-ups refer to; then the last ones: a replay on more CPUs takes
    // longer.
    std::atomic<std::size_t> begun{0};
    auto const work = [&] {
        for (std::size_t i = begun++; i < tasks.size(); i = begun++)
            tasks[i == 0 ? 0 : tasks.size() - i]();
    };
    {
        std::vector<std::jthread> others;
        for (std::size_t i = 1; i < std::min<std::size_t>(workers, tasks.size()); ++i)
            others.emplace_back(work);
        work();
    }
    std::vector<T> results;
    for (auto& task : tasks)
        results.push_back(task.get_future().get());
    return results;
}

}  // namespace parcast::forecast
