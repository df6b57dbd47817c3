#include "report/text/parts.h"

#include <algorithm>

#include <fmt/format.h>

#include "report/format.h"
#include "report/json/json_parts.h"
#include "report/table.h"
#include "report/text.h"

namespace parcast::report {

namespace {

std::string time_cell(std::optional<double> ns) {
    return ns ? task_time_text(*ns) : "";
}

std::string times_table(Theories const& theories, Layout const& layout) {
    std::vector<Column> columns{{"CPUs"}, {theories.policy, Align::right, Cut::end}};
    for (auto const& theory : theories.counts.front().theories)
        columns.push_back({std::string(theory.title), Align::right, Cut::end});
    Table table(std::move(columns));
    for (auto const& at : theories.counts) {
        std::vector<Cell> row{{fmt::format("{}", at.cpus)}, {time_cell(at.deterministic_ns)}};
        for (auto const& theory : at.theories)
            row.push_back({theory.time ? task_time_text(theory.time->mean_ns) : ""});
        table.add(std::move(row));
    }
    return table.text(layout.colour, layout.table_width());
}

std::string speed_up_cell(std::optional<double> speed_up) {
    return speed_up ? speed_up_text(*speed_up) : "";
}

// "1.50 - 2.00", or "at most 2.00".
std::string range_cell(GraphBounds const& bounds) {
    if (!bounds.upper)
        return "";
    return (bounds.lower ? speed_up_text(*bounds.lower) + " - " : "at most ") + speed_up_text(*bounds.upper);
}

std::string bounds_table(Theories const& theories, Layout const& layout) {
    Table table({{"CPUs"}, {"bounds"}, {"by the profile"}, {"processor sharing"}, {"at least"}});
    for (auto const& at : theories.counts) {
        auto const& bounds = at.bounds;
        table.add({{fmt::format("{}", at.cpus)},
                   {range_cell(bounds)},
                   {speed_up_cell(bounds.estimate)},
                   {speed_up_cell(bounds.sharing_exact)},
                   {speed_up_cell(bounds.sharing_lower)}});
    }
    return table.text(layout.colour, layout.table_width());
}

// The bounds that hold, and why others do not.
std::string bounds_text(Theories const& theories, Layout const& layout) {
    bool const has_any = std::ranges::any_of(
        theories.counts, [](TheoriesAt const& at) { return at.bounds.upper.has_value(); });
    auto const& why_not = theories.why_not_all_bounds;
    return "\nSpeed-up by the parallelism of the graph\n\n" +
           (has_any ? bounds_table(theories, layout) : "") + (has_any && !why_not.empty() ? "\n" : "") +
           (why_not.empty() ? "" : paragraph(why_not, layout));
}

// "1, 2 and 8 CPUs"
std::string counts_text(std::vector<std::uint32_t> const& counts) {
    std::string text;
    for (std::size_t i = 0; i < counts.size(); ++i)
        text += (i == 0 ? "" : i + 1 == counts.size() ? " and " : ", ") + std::to_string(counts[i]);
    return text + (counts.size() == 1 && counts.front() == 1 ? " CPU" : " CPUs");
}

// Why a theory does not apply, and on which numbers of CPUs.
struct Silence {
    std::vector<std::uint32_t> cpus;
    std::string reason;

    friend bool operator==(Silence const&, Silence const&) = default;
};

// A silence for each reason, in the order of the first numbers of CPUs.
std::vector<Silence> silences_of(Theories const& theories, std::size_t theory) {
    std::vector<Silence> silences;
    for (auto const& at : theories.counts) {
        auto const& said = at.theories[theory];
        if (said.time)
            continue;
        auto const& reason = said.time.error().message;
        auto const known = std::ranges::find(silences, reason, &Silence::reason);
        auto& silence = known != silences.end() ? *known : silences.emplace_back(Silence{{}, reason});
        silence.cpus.push_back(at.cpus);
    }
    return silences;
}

// One sentence for theories that are silent for the same reason.
std::string refusals(Theories const& theories, Layout const& layout) {
    auto const& titles = theories.counts.front().theories;
    std::string text;
    for (std::size_t i = 0; i < titles.size();) {
        auto const silences = silences_of(theories, i);
        std::string names(titles[i].title);
        std::size_t next = i + 1;
        for (; next < titles.size() && silences_of(theories, next) == silences; ++next)
            names += " and " + std::string(titles[next].title);
        for (auto const& silence : silences) {
            bool const all = silence.cpus.size() == theories.counts.size();
            text += text.empty() ? "\n" : "";
            text += paragraph(
                fmt::format("{} {} not apply{}: {}.", names, next - i > 1 ? "do" : "does",
                            all ? "" : " to " + counts_text(silence.cpus), printable(silence.reason)),
                layout);
        }
        i = next;
    }
    return text;
}

}  // namespace

std::string theories_text(Theories const& theories, Layout const& layout) {
    if (theories.counts.empty())
        return "";
    return "Mean times by theories of random tasks, beside those of the deterministic model\n\n" +
           times_table(theories, layout) + refusals(theories, layout) + bounds_text(theories, layout);
}

Json theories_json(Theories const& theories) {
    Json counts = Json::array();
    for (auto const& at : theories.counts) {
        Json rows = Json::array();
        for (auto const& theory : at.theories) {
            rows.push_back({{"theory", theory.key},
                            {"assumes", theory.assumes},
                            {"time_ns", theory.time ? Json(theory.time->mean_ns) : Json()},
                            {"deviation_ns", theory.time ? or_null(theory.time->deviation_ns) : Json()},
                            {"refusal", theory.time ? Json() : Json(theory.time.error().message)}});
        }
        counts.push_back({{"cpus", at.cpus},
                          {"deterministic_ns", or_null(at.deterministic_ns)},
                          {"theories", std::move(rows)},
                          {"bounds",
                           {{"lower", or_null(at.bounds.lower)},
                            {"upper", or_null(at.bounds.upper)},
                            {"profile_estimate", or_null(at.bounds.estimate)},
                            {"sharing_lower", or_null(at.bounds.sharing_lower)},
                            {"sharing_exact", or_null(at.bounds.sharing_exact)}}}});
    }
    return {{"policy", theories.policy},
            {"work_ns", theories.work_ns},
            {"span_ns", theories.span_ns},
            {"average_parallelism", theories.average_parallelism},
            {"most_parallelism", theories.most_parallelism},
            {"bounds_refusal", or_null(theories.why_not_all_bounds)},
            {"counts", std::move(counts)}};
}

}  // namespace parcast::report
