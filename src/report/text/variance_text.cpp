#include "report/variance.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "core/percent_text.h"
#include "report/format.h"
#include "report/table.h"
#include "report/text.h"

namespace parcast::report {

namespace {

constexpr std::size_t most_threads = 20;

// Times of recordings, or numbers in a unit that only the user knows.
enum class Unit : std::uint8_t { nanoseconds, unknown };

// Without an exponent: a number of 30 digits is nothing to read, but it is what was given.
std::string quantity(double value, Unit unit) {
    constexpr double most = static_cast<double>(std::numeric_limits<std::int64_t>::max()) / 2;
    return unit == Unit::nanoseconds && value < most ? time_text(Duration{std::llround(value)})
                                                     : three_digits(value);
}

double share_delayed(VarianceInput const& input) {
    double const cycle = input.processing.mean + input.delay.mean;
    return cycle > 0 ? input.delay.mean / cycle : 0;
}

std::string parameters_text(VarianceInput const& input, Unit unit) {
    return fmt::format(
        "CPU time {} between two synchronisations, in pieces of {} (CV {}) before delays of {} (CV {})",
        quantity(input.cpu, unit), quantity(input.processing.mean, unit), three_digits(input.processing.cv),
        quantity(input.delay.mean, unit), three_digits(input.delay.cv));
}

std::string methods_text(std::vector<VarianceMethod> const& methods, Unit unit, double confidence,
                         Layout const& layout) {
    Table table(
        {{"", Align::left}, {"delays"}, {"mean time"}, {"CV"}, {fmt::format("{:g} % of times", confidence)}});
    for (auto const& method : methods) {
        table.add({{method.title},
                   {three_digits(method.delays)},
                   {quantity(method.time.mean, unit)},
                   {three_digits(method.time.cv)},
                   {quantity(method.low, unit) + " - " + quantity(method.high, unit)}});
    }
    return table.text(layout.colour, layout.table_width());
}

// What two and a half digits of the CV mean.
std::string verdict(VarianceMethod const& best, double confidence, Unit unit) {
    return fmt::format(
        "Random delays spread the time by {} % around its mean: {:g} % of the times lie between {} and {} "
        "if they are normal.\n",
        three_digits(100 * best.time.cv), confidence, quantity(best.low, unit), quantity(best.high, unit));
}

std::string threads_text(VarianceAnswer const& report, Layout const& layout) {
    Table table({{"thread"},
                 {"name", Align::left, Cut::end},
                 {"intervals"},
                 {"CPU time"},
                 {"CV"},
                 {"delays"},
                 {"pieces of"},
                 {"CV"},
                 {"delay"},
                 {"CV"},
                 {"predicted"},
                 {"s.e."},
                 {"CV"},
                 {"measured"},
                 {"CV"}});
    std::size_t const rows =
        layout.detail == Detail::all ? report.threads.size() : std::min(report.threads.size(), most_threads);
    for (std::size_t i = 0; i < rows; ++i) {
        auto const& thread = report.threads[i];
        auto const& best = thread.methods.front();
        auto const time = [](double ns) { return quantity(ns, Unit::nanoseconds); };
        table.add({{fmt::format("{}", thread.id)},
                   {printable(thread.name)},
                   {count_text(thread.intervals)},
                   {time(thread.input.cpu)},
                   {three_digits(thread.cpu_cv)},
                   {count_text(thread.delays)},
                   {time(thread.input.processing.mean)},
                   {three_digits(thread.input.processing.cv)},
                   {time(thread.input.delay.mean)},
                   {three_digits(thread.input.delay.cv)},
                   {time(best.time.mean)},
                   {thread.standard_error ? percent_text(*thread.standard_error / best.time.mean) : "?"},
                   {three_digits(best.time.cv)},
                   {time(thread.measured.mean)},
                   {thread.intervals > 1 ? three_digits(thread.measured.cv) : ""}});
    }
    std::string const rest = rows < report.threads.size()
                                 ? fmt::format("  ... and {} more: --all\n", report.threads.size() - rows)
                                 : "";
    return table.text(layout.colour, layout.table_width()) + rest;
}

std::string runs_text(VarianceOfRuns const& runs) {
    auto const part = [](char const* name, MeanAndCv const& value) {
        return fmt::format("{} {} (CV {})", name, quantity(value.mean, Unit::nanoseconds),
                           three_digits(value.cv));
    };
    return fmt::format(
        "Of {}, all threads with delays together: {}, {}, {}. Delays alone would give the time a CV of "
        "{}.\n",
        counted(runs.runs, "recording"), part("CPU time", runs.cpu), part("delays", runs.delays),
        part("time", runs.measured), three_digits(runs.predicted_cv));
}

std::string notes_text(VarianceAnswer const& report, Layout const& layout) {
    std::string text;
    for (auto const& note : report.notes)
        text += wrapped("Note: " + note, layout.width, 6) + "\n";
    return text;
}

}  // namespace

std::string variance_text(VarianceAnswer const& report, Layout const& layout) {
    std::string const notes = notes_text(report, layout);
    if (report.given) {
        auto const& given = *report.given;
        return notes + wrapped(parameters_text(given, Unit::unknown), layout.width) + "\n" +
               fmt::format("delayed {} % of the time\n\n", three_digits(100 * share_delayed(given))) +
               methods_text(report.methods, Unit::unknown, report.confidence, layout) + "\n" +
               wrapped(verdict(report.methods.front(), report.confidence, Unit::unknown), layout.width);
    }
    std::string text = notes;
    if (report.files.size() == 1)
        text += printable(report.files.front()) + "\n";
    text += "time between synchronisations, spread by input, output and sleeping\n\n";
    text += threads_text(report, layout);
    if (report.runs)
        text += "\n" + wrapped(runs_text(*report.runs), layout.width);
    return text;
}

}  // namespace parcast::report
