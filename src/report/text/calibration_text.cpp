#include "report/calibration.h"

#include <cmath>

#include <fmt/format.h>

#include "core/listed.h"
#include "report/format.h"
#include "report/text.h"

namespace parcast::report {

namespace {

// Below a microsecond with fractions of nanoseconds: a lock takes a few.
std::string value_text(CalibratedValue const& row, double number) {
    // What is left of a difference where others ran.
    if (number < 0)
        return "too noisy";
    if (row.is_rate)
        return fmt::format("{:.3f}", number);
    if (std::abs(number) < 999.5)
        return three_digits(number) + " ns";
    return time_text({std::llround(number)});
}

std::string head(CalibrationAnswer const& answer, std::size_t width) {
    auto const& calibration = *answer.machine.calibration;
    std::string const processor =
        calibration.processor.empty() ? "" : " (" + printable(calibration.processor) + ")";
    std::string text = fmt::format("{}{}: {} in {}, {}", printable(calibration.host), processor,
                                   counted(std::ssize(answer.cpus), "CPU"), time_text(answer.wall),
                                   counted(answer.rounds, "round"));
    if (answer.disturbed_rounds > 0)
        text += fmt::format(", {} more left out because others ran", answer.disturbed_rounds);
    return wrapped(text, width, 4) + "\n";
}

std::string machine_text(Machine const& machine, std::size_t width) {
    std::vector<std::string> values;
    for (auto const& cost : Costs::fields())
        values.push_back(fmt::format("{} = {}", cost.key, cost.value(machine.costs)));
    for (auto const& [name, rates] :
         {std::pair{"compute", machine.rates.compute}, std::pair{"memory", machine.rates.memory}})
        if (!rates.empty())
            values.push_back(fmt::format("{} = [{}]", name, fmt::join(rates, ", ")));
    return wrapped("The machine: " + listed(values) + ".", width, 4) + "\n";
}

}  // namespace

std::string calibration_text(CalibrationAnswer const& answer, Layout const& layout) {
    std::string text;
    for (auto const& note : answer.machine.calibration->notes)
        text += wrapped("Note: " + note, layout.width, 6) + "\n";
    text += head(answer, layout.width) + "\n";
    Table table({{"", Align::left}, {"median"}, {"quartiles"}, {"samples"}, {"how", Align::left, Cut::end}});
    for (auto const& row : answer.values) {
        auto const& [median, low, high, samples] = row.value;
        table.add({{row.title},
                   {value_text(row, median)},
                   {low < 0 ? "too noisy" : value_text(row, low) + " - " + value_text(row, high)},
                   {std::to_string(samples)},
                   {row.method}});
    }
    return text + table.text(layout.colour, layout.width, CutNames::whole_below_the_row) + "\n" +
           machine_text(answer.machine, layout.width);
}

}  // namespace parcast::report
