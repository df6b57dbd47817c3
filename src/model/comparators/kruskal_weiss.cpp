#include "model/comparators/kruskal_weiss.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/sample.h"
#include "model/comparators/phases.h"

namespace parcast::model {

namespace {

Sample sample_of(TaskGraph const& graph, Phase const& phase, std::vector<double> const& times) {
    Sample sample;
    for (TaskGroupId const group : phase.groups) {
        for (std::size_t task = graph.first_task[group.index()]; task < graph.first_task[group.index() + 1];
             ++task) {
            sample.add(times[task]);
        }
    }
    return sample;
}

}  // namespace

double kruskal_weiss(double tasks, double processors, double mean, double deviation, Batches const& batches) {
    double const used = std::min(tasks, processors);
    double const each = tasks / used;
    double const batch =
        batches.kind == Batches::Kind::even_share ? each : std::min<double>(batches.size, each);
    return each * mean + each / batch * batches.overhead_ns +
           deviation * std::sqrt(2 * batch * std::log(used));
}

Result<double> kruskal_weiss(TaskGraph const& graph, std::uint32_t processors, Deviation deviation,
                             Batches const& batches, ContentionLaw const* contention) {
    auto phases = phases_of(graph);
    if (!phases)
        return pass_on(phases);
    auto times = contended_times(graph, processors, contention);
    if (!times)
        return pass_on(times);
    double total = 0;
    for (Phase const& phase : *phases) {
        Sample const sample = sample_of(graph, phase, *times);
        total += kruskal_weiss(static_cast<double>(sample.count()), processors, sample.mean(),
                               deviation == Deviation::actual ? sample.deviation() : sample.mean(), batches);
    }
    return total;
}

}  // namespace parcast::model
