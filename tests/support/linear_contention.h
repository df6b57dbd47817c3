#pragma once

#include <string_view>
#include <utility>
#include <vector>

#include "model/deterministic/contention.h"

namespace parcast::model {

// Every other running task delays a task by `coefficient` times its own CPU time, weighted by the parameter
// `weight` of the task (1 if that is empty): the simplest law, to see what contention does to a schedule.
inline ContentionLaw linear_contention(TaskGraph const& graph, double coefficient,
                                       std::string_view weight = {}) {
    ContentionLaw law;
    law.name = "linear";
    std::vector<double> weights = {1};
    if (!weight.empty()) {
        std::string_view const parameters[] = {weight};
        auto classes = classes_by(graph, parameters);
        law.class_of_group = std::move(classes.class_of_group);
        weights.clear();
        for (auto const& values : classes.value)
            weights.push_back(values[0]);
    }
    law.solve = [coefficient, weights = std::move(weights)](std::span<RunningClass const> running,
                                                            std::span<double> delay) -> Result<void> {
        double others = -1;
        for (auto const& one : running)
            others += one.tasks;
        for (std::size_t place = 0; place < running.size(); ++place)
            delay[place] = coefficient * weights[running[place].klass] * others;
        return {};
    };
    return law;
}

}  // namespace parcast::model
