#include "report/text/calibration_text.h"

#include <cmath>

#include <fmt/format.h>

#include "report/format.h"
#include "report/text.h"

namespace parcast::report {

namespace {

// Below a microsecond with fractions of nanoseconds: a lock takes a few.
std::string value_text(CalibratedValue const& value, double number) {
    if (value.is_rate)
        return fmt::format("{:.3f}", number);
    if (std::abs(number) < 999.5)
        return three_digits(number) + " ns";
    return time_text({std::llround(number)});
}

std::string head(CalibrationReport const& report, std::size_t width) {
    std::string const processor = report.processor.empty() ? "" : " (" + printable(report.processor) + ")";
    std::string text = fmt::format("{}{}: {} in {}, {}", printable(report.host), processor,
                                   counted(report.cpus.size(), "CPU"), time_text(report.wall),
                                   counted(report.rounds, "round"));
    if (report.disturbed_rounds > 0)
        text += fmt::format(", {} more left out because others ran", report.disturbed_rounds);
    return wrapped(text, width, 4) + "\n";
}

std::string rates_text(char const* name, std::vector<double> const& rates) {
    return rates.empty() ? "" : fmt::format("{} = [{}]", name, fmt::join(rates, ", "));
}

std::string machine_text(CalibrationReport const& report, std::size_t width) {
    std::string text;
    for (auto const& cost : report.costs)
        text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", cost.key, cost.ns);
    for (auto const& rates :
         {rates_text("compute", report.compute_rates), rates_text("memory", report.memory_rates)})
        text += rates.empty() ? "" : ", " + rates;
    return wrapped("The machine: " + text + ".", width, 4) + "\n";
}

}  // namespace

std::string calibration_text(CalibrationReport const& report, Layout const& layout) {
    std::string text;
    for (auto const& note : report.notes)
        text += wrapped("Note: " + note, layout.width, 6) + "\n";
    text += head(report, layout.width) + "\n";
    Table table({{"", Align::left}, {"median"}, {"quartiles"}, {"samples"}, {"how", Align::left, Cut::end}});
    for (auto const& value : report.values) {
        table.add({{value.title},
                   {value_text(value, value.median)},
                   {value_text(value, value.low) + " - " + value_text(value, value.high)},
                   {std::to_string(value.samples)},
                   {value.method}});
    }
    return text + table.text(layout.colour, layout.width) + "\n" + machine_text(report, layout.width);
}

}  // namespace parcast::report
