// How much the tasks that run at the same time delay each other, as the deterministic model asks for it
// (Adve 1993, section 4.2.2: T_delay as a function of the state of the system). A law is solved when the set
// of running tasks changes what the law depends on, and never twice for the same set.
//
// Tasks that use all resources alike are one class. So a state is how many tasks of which class run; for a
// law with one class it is their number alone.

#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "program/task_graph.h"

namespace parcast::model {

// The groups of a graph that agree in the values of some resource parameters.
struct ResourceClasses {
    std::vector<std::uint32_t> class_of_group;
    std::vector<std::vector<double>> value;  // [class][parameter], in the order in which they were asked for

    std::size_t size() const { return value.size(); }
};

// A parameter that the graph does not have is 0 for all its groups.
// Cost: time O(groups * parameters * log(classes)).
ResourceClasses classes_by(TaskGraph const& graph, std::span<std::string_view const> parameters);

// Tasks of a class that run now. Tasks that pay for being fetched do not run yet.
struct RunningClass {
    std::uint32_t klass = 0;
    std::uint32_t tasks = 0;  // >= 1; of more processes than processors: the customers that these stand for
};

struct ContentionLaw {
    // For each running class, in the order given: delay per ns of CPU time of one of its tasks, >= 0. The
    // classes are given in ascending order. A std::function costs nothing here: it is called once a state.
    using Solve = std::function<Result<void>(std::span<RunningClass const> running, std::span<double> delay)>;

    std::string name;
    std::vector<std::uint32_t> class_of_group;  // empty: all groups are of class 0
    Solve solve;
    // Whether solve gives an approximation for these classes; null: never.
    std::function<bool(std::span<RunningClass const> running)> is_approximate;
    std::vector<std::string> assumptions;  // sentences for the user
};

}  // namespace parcast::model
