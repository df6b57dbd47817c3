#include "cli/graph_theories.h"

#include <utility>

#include "model/bounds/parallelism_profile.h"
#include "model/bounds/speed_up_bounds.h"

namespace parcast::cli {

namespace {

report::TheoryTime theory_time(model::Comparison const& comparison) {
    report::TheoryTime said;
    said.key = comparison.key;
    said.title = comparison.title;
    said.assumes = comparison.assumes;
    if (comparison.time) {
        said.time_ns = comparison.time->mean_ns;
        said.deviation_ns = comparison.time->deviation_ns;
    } else {
        said.refusal = comparison.time.error().message;
    }
    return said;
}

}  // namespace

report::Theories theories_of(TaskGraph const& graph, std::vector<DeterministicTime> const& times,
                             model::Schedule const& schedule) {
    auto const profile = model::profile_of(graph);
    report::Theories theories;
    theories.work_ns = profile.work_ns;
    theories.span_ns = profile.span_ns;
    theories.average_parallelism = profile.average();
    theories.most_parallelism = profile.most();
    theories.policy = model::name_of(schedule.policy);
    std::vector<std::uint32_t> counts;
    for (auto const& time : times) {
        counts.push_back(time.cpus);
    }
    auto const comparisons = model::compare(graph, counts, schedule);
    for (std::size_t i = 0; i < times.size(); ++i) {
        auto const& [cpus, time_ns] = times[i];
        auto const bounds = model::speed_up_bounds(profile, cpus);
        report::TheoriesAt at;
        at.cpus = cpus;
        at.deterministic_ns = time_ns;
        at.bounds = {bounds.lower, bounds.upper, bounds.estimate, bounds.sharing.lower, bounds.sharing.exact};
        for (auto const& comparison : comparisons[i]) {
            at.theories.push_back(theory_time(comparison));
        }
        theories.counts.push_back(std::move(at));
    }
    return theories;
}

}  // namespace parcast::cli
