#include "program/condensed_graph.h"

#include <algorithm>
#include <numeric>

namespace parcast {

namespace {

// Appends the sums of blocks to `into`.
void append_blocks(std::span<double const> times, std::size_t blocks, std::vector<double>& into) {
    std::size_t first = 0;
    for (std::size_t block = 0; block < blocks; ++block) {
        auto const size = times.size() / blocks + (block < times.size() % blocks ? 1 : 0);
        auto const part = times.subspan(first, size);
        into.push_back(std::accumulate(part.begin(), part.end(), 0.0));
        first += size;
    }
}

}  // namespace

TaskGraph condensed(TaskGraph const& graph, std::uint32_t processes) {
    TaskGraph result = graph;
    result.cpu_ns.clear();
    result.estimate_ns.clear();
    result.process.clear();
    for (std::size_t index = 0; index < graph.groups(); ++index) {
        TaskGroupId const group(index);
        auto const blocks = std::min<std::size_t>(graph.size_of(group), processes);
        append_blocks(graph.times_of(group), blocks, result.cpu_ns);
        if (!graph.estimate_ns.empty()) {
            auto const estimates =
                std::span(graph.estimate_ns).subspan(graph.first_task[index], graph.size_of(group));
            append_blocks(estimates, blocks, result.estimate_ns);
        }
        for (std::uint32_t block = 0; block < blocks; ++block)
            result.process.push_back(block);
        result.first_task[index + 1] = static_cast<std::uint32_t>(result.cpu_ns.size());
    }
    result.assumptions.push_back("Condensed to " + std::to_string(processes) +
                                 " processes: what one does of a loop is one task.");
    return result;
}

}  // namespace parcast
