#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "core/counted.h"
#include "core/percent_text.h"
#include "core/three_digits.h"
#include "report/signature_theory.h"
#include "report/table.h"
#include "report/text.h"

namespace parcast::report {

namespace {

std::string seven_digits(double value) {
    return fmt::format("{:.7g}", value);
}

// Ends of a range of whole numbers; rounding errors do not move them.
constexpr double rounding = 1e-9;
double first_whole(double from) {
    return std::ceil(from * (1 - rounding));
}
double last_whole(double to) {
    return std::floor(to * (1 + rounding));
}

std::string threads_text(double threads) {
    return counted(static_cast<std::int64_t>(threads), "thread");
}

// Where the most is, and how sharp.
std::string theory_verdict(TheoryExecution const& execution) {
    if (execution.best_p && *execution.best_p == 1)
        return "One thread is the fastest: an event costs more than a second thread takes over.";
    if (execution.best_p) {
        std::string text =
            fmt::format("The speed-up is at most {}, with {}.", three_digits(*execution.best_speed_up),
                        threads_text(static_cast<double>(*execution.best_p)));
        text += fmt::format(" Within 5 % of that, from {} to {}, the number hardly matters.",
                            count_text(static_cast<std::int64_t>(first_whole(*execution.flat_from))),
                            threads_text(last_whole(*execution.flat_to)));
        if (execution.outlook.find("zero") != std::string::npos)
            text += " With more it falls, and tends to zero.";
        return text;
    }
    if (execution.limit)
        return fmt::format(
            "The speed-up rises with every thread, but stays below {}, which is 5 % more than with {}.",
            three_digits(*execution.limit), threads_text(first_whole(*execution.flat_from)));
    return "The speed-up rises with every thread, without a limit.";
}

// The numbers of the theorem, with all their digits.
std::string theorem_text(TheoryExecution const& execution) {
    if (!execution.p_smax)
        return "";
    auto text = fmt::format("  P_smax {}   S_max {}", seven_digits(*execution.p_smax),
                            seven_digits(*execution.s_max));
    if (execution.inflection)
        text += "   inflection of S at P = " + seven_digits(*execution.inflection);
    return text + "\n";
}

std::string class_text(TheoryExecution const& execution) {
    return execution.paper_class.empty()
               ? ""
               : fmt::format("  class ({}) of the report: {}\n", execution.paper_class, execution.outlook);
}

std::string points_text(TheoryExecution const& execution, Layout const& layout) {
    Table table({{"threads"},
                 {"W(P)/W(1)"},
                 {"b = W(P)/(P W(1))"},
                 {"a"},
                 {"S = a/b"},
                 {"S/P"},
                 {"divide and conquer"}});
    for (auto const& point : execution.points)
        table.add({{count_text(static_cast<std::int64_t>(point.threads))},
                   {seven_digits(point.work)},
                   {seven_digits(point.b)},
                   {seven_digits(point.a)},
                   {seven_digits(point.speed_up)},
                   {percent_text(point.efficiency)},
                   {point.divide_and_conquer ? seven_digits(*point.divide_and_conquer) : ""}});
    return table.text(layout.colour, layout.table_width());
}

std::string execution_text(TheoryExecution const& execution, Layout const& layout) {
    return wrapped(theory_verdict(execution), layout.width) + "\n" + theorem_text(execution) +
           class_text(execution) + "\n" + points_text(execution, layout);
}

}  // namespace

std::string signature_theory_text(SignatureTheory const& theory, Layout const& layout) {
    std::string text =
        fmt::format("E = g(P) = {}, alpha = W(1)/theta = {}\n", theory.g, seven_digits(theory.alpha));
    text += wrapped(theory.growth_sentence + ".", layout.width) + "\n\n";
    text += execution_text(theory.fixed_size, layout);
    if (theory.scaled)
        text += "\nScaled execution: the work of one thread grows as P does.\n" +
                execution_text(*theory.scaled, layout);
    text += "\n" +
            wrapped(
                "The theorem assumes that nobody is ever blocked (a = 1); uneven work and waiting make "
                "speed-ups smaller.",
                layout.width) +
            "\n";
    return text;
}

}  // namespace parcast::report
