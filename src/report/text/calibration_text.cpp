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
    if (machine.network && machine.network->node)
        for (auto const& field : network_fields)
            values.push_back(
                fmt::format("network.node.{} = {}", field.key, (*machine.network->node).*field.value));
    return wrapped("The machine: " + listed(values) + ".", width, 4) + "\n";
}

// An operation a column and an edge a row: figure 6 of Rugina and Schauser (1998).
std::string block_costs_text(CalibrationAnswer const& answer, Layout const& layout) {
    auto const& costs = *answer.block_costs;
    std::vector<Column> columns = {{"block"}};
    for (auto const* const state : {"", ", cold"})
        for (std::size_t each = 1; each <= block_operations.size(); ++each)
            columns.push_back({fmt::format("Op{}{}", each, state)});
    Table table(columns);
    for (std::size_t row = 0; row < costs.edge.size(); ++row) {
        std::vector<Cell> cells = {{fmt::format("{0} x {0}", costs.edge[row])}};
        for (auto const* const times : {&costs.ns, &costs.cold_ns})
            for (auto const& column : *times)
                cells.push_back({value_text({}, column[row])});
        table.add(std::move(cells));
    }
    auto text = table.text(layout.colour, layout.width) + "\n";
    for (std::size_t each = 0; each < block_operations.size(); ++each)
        text += fmt::format("Op{}: {}\n", each + 1, block_operations[each].meaning);
    return text + "\n" +
           wrapped(
               fmt::format("Medians. Cold: the blocks come from memory. To copy a byte of a block takes {} "
                           "ns, to pass over a block {} ns.",
                           *costs.copy_ns_per_byte, *costs.visit_ns),
               layout.width) +
           "\n";
}

}  // namespace

std::string calibration_text(CalibrationAnswer const& answer, Layout const& layout) {
    std::string text;
    for (auto const& note : answer.machine.calibration->notes)
        text += wrapped("Note: " + note, layout.width, 6) + "\n";
    text += head(answer, layout.width) + "\n";
    if (answer.block_costs)
        return text + block_costs_text(answer, layout);
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
