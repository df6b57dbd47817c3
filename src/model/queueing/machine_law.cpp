#include "model/queueing/machine_law.h"

#include <algorithm>
#include <utility>

#include "model/queueing/station_law.h"

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

Result<std::optional<ContentionLaw>> machine_law(TaskGraph const& graph, Machine const& machine) {
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
