// Runs that were measured beside a recording: as info shows them, and as a prediction begins with them.

#include <algorithm>

#include <fmt/format.h>

#include "answer/measured.h"
#include "report/format.h"
#include "report/table.h"
#include "report/text.h"
#include "report/text/parts.h"

namespace parcast::report {

namespace {

std::string cpus_text(std::uint32_t cpus) {
    return counted(static_cast<std::int64_t>(cpus), "CPU");
}

std::string verdict_text(MeasuredCheck const& check) {
    switch (check.verdict) {
        case MeasuredVerdict::holds: return fmt::format(", predicted {:.2f}: holds", check.predicted);
        case MeasuredVerdict::adopted:
            return fmt::format(", predicted {:.2f}, with the longer time that its own code took there",
                               check.predicted);
        case MeasuredVerdict::differs:
        case MeasuredVerdict::far_off:
            return fmt::format(", predicted {:.2f}: does not hold", check.predicted);
        case MeasuredVerdict::not_compared: return ", not compared: " + check.reason;
    }
    return {};
}

BareRun const& fastest(MeasuredCpus const& measured) {
    return *std::ranges::min_element(measured.runs, {}, &BareRun::wall_ns);
}

}  // namespace

std::string measured_speed_up_text(MeasuredSpeedUp const& measured) {
    return fmt::format("measured on {}: {:.2f} times as fast as on one ({:.2f} - {:.2f})",
                       cpus_text(measured.cpus), measured.speed_up, measured.range.low, measured.range.high);
}

std::string measured_checks_text(Answer const& prediction, Layout const& layout) {
    std::string text;
    for (auto const& check : prediction.recording().measured)
        text += paragraph(measured_speed_up_text(check.measured) + verdict_text(check), layout);
    return text;
}

std::string measured_table(Provenance const& from, Layout const& layout) {
    if (from.measured.empty())
        return {};
    Table table({{"CPUs"}, {"time"}, {"own code"}, {"system"}, {"idling"}, {"speed-up"}, {"range"}});
    auto const speed_ups = measured_speed_ups(from);
    for (std::size_t i = 0; i < from.measured.size(); ++i) {
        auto const& best = fastest(from.measured[i]);
        auto const idle = from.measured[i].cpus * best.wall_ns - best.user_ns - best.system_ns;
        table.add({{fmt::format("{}", from.measured[i].cpus)},
                   {time_text({best.wall_ns})},
                   {time_text({best.user_ns})},
                   {time_text({best.system_ns})},
                   {time_text({std::max<std::int64_t>(0, idle)})},
                   {i == 0 ? "" : fmt::format("{:.2f}", speed_ups[i - 1].speed_up)},
                   {i == 0 ? ""
                           : fmt::format("{:.2f} - {:.2f}", speed_ups[i - 1].range.low,
                                         speed_ups[i - 1].range.high)}});
    }
    return '\n' +
           paragraph(
               fmt::format("measured without the recorder, the fastest of {} each:",
                           counted(static_cast<std::int64_t>(from.measured.front().runs.size()), "run")),
               layout) +
           table.text(layout.colour);
}

}  // namespace parcast::report
