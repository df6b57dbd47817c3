#include "ensemble/helper_threads.h"

#include <algorithm>
#include <thread>
#include <vector>

namespace parcast::ensemble {

std::size_t cpus_of_host() {
    return std::max(1U, std::thread::hardware_concurrency());
}

void in_threads(std::size_t threads, std::function<void()> const& work) {
    std::vector<std::jthread> helpers;
    for (std::size_t helper = 1; helper < threads; ++helper)
        helpers.emplace_back(work);
    work();
}

}  // namespace parcast::ensemble
