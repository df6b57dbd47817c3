#include <algorithm>
#include <cmath>
#include <string>

#include <fmt/core.h>

#include "core/percent_text.h"
#include "core/time_text.h"
#include "report/names.h"
#include "report/scale.h"
#include "report/table.h"
#include "report/text.h"

namespace parcast::report {

std::string cpu_times_text(CpuTimes const& times, unsigned runs, Layout const& layout) {
    auto const time = [](double ns) { return time_text(Duration{static_cast<std::int64_t>(ns)}); };
    bool const has_turns =
        std::ranges::any_of(times.counts, [](auto const& count) { return count.turn_share > 0; });
    Table table({{"CPUs"}, {"CPU time"}, {"from"}, {"to"}, {"turns"}, {"over one thread"}});
    for (auto const& count : times.counts) {
        auto const growth = *cpu_growth(times, count.cpus);
        bool const is_notable = std::abs(growth - 1) > notable_cpu_growth;
        table.add({{std::to_string(count.cpus)},
                   {time(count.cpu_ns.median)},
                   {time(count.cpu_ns.least)},
                   {time(count.cpu_ns.most)},
                   {count.turn_share > 0 ? percent_text(count.turn_share) : ""},
                   {fmt::format("{:.2f}", growth), is_notable ? Emphasis::worst : Emphasis::none}});
    }
    return paragraph(shown_command(times.command), layout) +
           paragraph(
               fmt::format("run on one CPU, unrecorded, {} times for each number of CPUs that it is told",
                           runs),
               layout) +
           '\n' + table.text(layout.colour, layout.table_width()) +
           (has_turns
                ? paragraph(
                      "turns: what threads that take turns on the one CPU lose by them; it is left out of "
                      "the last column",
                      layout)
                : "");
}

}  // namespace parcast::report
