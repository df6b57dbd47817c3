#include "model/queueing/machine_law.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/queueing/station_law.h"
#include "program/speed_parameters.h"

namespace parcast::model {

ContentionLaw rates_law(Rates const& rates) {
    ContentionLaw law;
    law.name = "rates";
    law.solve = [by_busy = speeds(rates)](std::span<RunningClass const> running,
                                          std::span<double> delay) -> Result<void> {
        std::size_t busy = 0;
        for (auto const& one : running)
            busy += one.tasks;
        double const speed = by_busy.empty() ? 1 : by_busy[std::min(busy, by_busy.size()) - 1];
        std::ranges::fill(delay, 1 / speed - 1);
        return {};
    };
    law.assumptions = {"all tasks are slowed alike by the machine's rates of busy CPUs"};
    return law;
}

std::optional<ContentionLaw> speeds_law(TaskGraph const& graph) {
    std::vector<std::string> names;
    auto const has = [&](std::string const& name) {
        return std::ranges::find(graph.resources, name, &ResourceUse::name) != graph.resources.end();
    };
    while (has(speed_parameter(names.size() + 1)))
        names.push_back(speed_parameter(names.size() + 1));
    if (names.empty())
        return std::nullopt;
    auto classes = classes_by(graph, std::vector<std::string_view>(names.begin(), names.end()));
    for (auto& speeds : classes.value)  // 0 is what a group does not say
        std::erase(speeds, 0);
    ContentionLaw law;
    law.name = "speeds";
    law.class_of_group = std::move(classes.class_of_group);
    law.assumptions = {"tasks are slowed by the graph's speeds for the number of running tasks"};
    law.solve = [speeds = std::move(classes.value)](std::span<RunningClass const> running,
                                                    std::span<double> delay) -> Result<void> {
        std::size_t tasks = 0;
        for (auto const& one : running)
            tasks += one.tasks;
        for (std::size_t i = 0; i < running.size(); ++i) {
            auto const& own = speeds[running[i].klass];
            delay[i] = own.empty() ? 0 : 1 / own[std::min(tasks, own.size()) - 1] - 1;
        }
        return {};
    };
    return law;
}

Result<std::optional<ContentionLaw>> machine_law(TaskGraph const& graph, Machine const& machine) {
    if (auto law = speeds_law(graph)) {
        if (machine.shared)
            return fail(
                ErrorCode::inconsistent,
                "the task graph has \"speeds\" by running tasks, and the machine or --memory says what tasks "
                "share: give one of the two, which says how tasks delay each other");
        return law;
    }
    if (machine.shared) {
        auto law = station_law(graph, *machine.shared);
        if (!law)
            return pass_on(law);
        return std::optional(std::move(*law));
    }
    if (is_flat(machine.rates, machine.cpus))
        return std::nullopt;
    return std::optional(rates_law(machine.rates));
}

}  // namespace parcast::model
