#include "forecast/graph_theories.h"

#include <utility>

#include "model/bounds/parallelism_profile.h"
#include "model/bounds/speed_up_bounds.h"

namespace parcast::forecast {

namespace {

// Empty: all hold.
std::string why_not_all_bounds(model::Schedule const& schedule) {
    if (schedule.contention != nullptr)
        return "No bounds: they hold where running tasks do not delay each other.";
    if (!schedule.tasks.fetch_ns.empty())
        return "No bounds: they hold where it costs nothing to take a task.";
    return is_work_conserving(schedule.tasks.policy)
               ? ""
               : "The lower bound and what the profile gives are of schedules that leave no processor idle "
                 "while a task is ready; " +
                     name_of(schedule.tasks.policy) + " is not one of them.";
}

GraphBounds bounds_that_hold(model::ProfileBounds const& bounds, model::Schedule const& schedule) {
    GraphBounds held;
    if (schedule.contention != nullptr || !schedule.tasks.fetch_ns.empty())
        return held;
    held.upper = bounds.upper;
    held.sharing_lower = bounds.sharing.lower;
    held.sharing_exact = bounds.sharing.exact;
    if (is_work_conserving(schedule.tasks.policy)) {
        held.lower = bounds.lower;
        held.estimate = bounds.estimate;
    }
    return held;
}

}  // namespace

Theories theories_of(TaskGraph const& graph, std::vector<DeterministicTime> const& times,
                     model::Schedule const& schedule) {
    auto const profile = model::profile_of(graph);
    Theories theories;
    theories.work_ns = profile.work_ns;
    theories.span_ns = profile.span_ns;
    theories.average_parallelism = profile.average();
    theories.most_parallelism = profile.most();
    theories.policy = name_of(schedule.tasks.policy);
    theories.why_not_all_bounds = why_not_all_bounds(schedule);
    std::vector<std::uint32_t> counts;
    for (auto const& time : times)
        counts.push_back(time.cpus);
    auto comparisons = model::compare(graph, counts, schedule);
    for (std::size_t i = 0; i < times.size(); ++i) {
        auto const& [cpus, time_ns] = times[i];
        TheoriesAt at;
        at.cpus = cpus;
        at.deterministic_ns = time_ns;
        at.bounds = bounds_that_hold(model::speed_up_bounds(profile, cpus), schedule);
        at.theories = std::move(comparisons[i]);
        theories.counts.push_back(std::move(at));
    }
    return theories;
}

}  // namespace parcast::forecast
