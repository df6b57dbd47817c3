#include "model/comparators/mak_lundstrom.h"

#include <cstdint>
#include <string>
#include <vector>

#include "model/comparators/phases.h"
#include "program/series_parallel.h"

namespace parcast::model {

namespace {

Time parallel(std::vector<Time> const& times, Composite composite) {
    return composite == Composite::gamma ? maximum(times) : exponential(mean_of_maximum(times));
}

Time series(std::vector<Time> const& times, Composite composite) {
    Time sum;
    for (auto const& time : times)
        sum = {sum.mean + time.mean, sum.variance + time.variance};
    return composite == Composite::gamma ? sum : exponential(sum.mean);
}

Time time_of(TaskGraph const& graph, SeriesParallel const& structure, std::vector<double> const& task_times,
             Composite composite) {
    std::vector<Time> done;
    done.reserve(structure.nodes.size());
    for (auto const& node : structure.nodes) {
        std::vector<Time> parts;
        if (node.kind == SeriesParallel::Kind::group)
            for (auto task = graph.first_task[node.group.index()];
                 task < graph.first_task[node.group.index() + 1]; ++task)
                parts.push_back(exponential(task_times[task]));
        for (std::uint32_t const child : node.children)
            parts.push_back(done[child]);
        done.push_back(node.kind == SeriesParallel::Kind::series ? series(parts, composite)
                                                                 : parallel(parts, composite));
    }
    return done.empty() ? Time{} : done.back();
}

}  // namespace

Result<Time> mak_lundstrom(TaskGraph const& graph, Composite composite, std::uint32_t processors,
                           ContentionLaw const* contention) {
    if (graph.tasks() > most_mak_lundstrom_tasks) {
        return fail(ErrorCode::out_of_range, "the maximum of " + std::to_string(graph.tasks()) +
                                                 " times would take too long; it takes at most " +
                                                 std::to_string(most_mak_lundstrom_tasks));
    }
    auto times = contended_times(graph, processors, contention);
    if (!times)
        return pass_on(times);
    auto structure = series_parallel(graph);
    if (!structure)
        return pass_on(structure);
    return time_of(graph, *structure, *times, composite);
}

}  // namespace parcast::model
