#include "answer/answer.h"

#include <algorithm>

namespace parcast {

std::vector<ScheduledRows> by_schedule(Answer const& answer) {
    auto const& schedules = answer.graph().schedules;
    std::size_t const each = answer.rows.size() / schedules.size();
    std::vector<ScheduledRows> groups;
    for (std::size_t i = 0; i < schedules.size(); ++i)
        groups.push_back({schedules[i].name, schedules[i].is_work_conserving,
                          std::span(answer.rows).subspan(i * each, each)});
    return groups;
}

bool has_deadlock(Answer const& answer) {
    return std::ranges::any_of(answer.rows, [](Row const& row) { return row.run.deadlock.has_value(); });
}

}  // namespace parcast
