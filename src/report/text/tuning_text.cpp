#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <string>
#include <vector>

#include <fmt/core.h>

#include "answer/number_text.h"
#include "core/listed.h"
#include "report/codes/codes.h"
#include "report/format.h"
#include "report/table.h"
#include "report/text.h"
#include "report/tuning.h"

namespace parcast::report {

namespace {

constexpr std::size_t most_shown_points = 60;
constexpr std::size_t fastest_shown_points = 20;  // of more
constexpr std::size_t most_named_points = 6;      // in a sentence
constexpr double least_told = 0.001;              // a difference

std::string tuned_time_text(Tuning const& tuning, double time) {
    if (!std::isfinite(time))
        return "-";
    return tuning.has_time_unit ? task_time_text(std::max(0.0, time)) : number_text(time);
}

// Without its folder.
std::string file_name_of(std::string const& path) {
    return path.substr(path.rfind('/') + 1);
}

std::string point_text_at(Tuning const& tuning, std::size_t point) {
    return point_text(tuning.grid, tuning.points[point].number);
}

std::string capitalised(std::string words) {
    if (!words.empty() && words.front() >= 'a' && words.front() <= 'z')
        words.front() = static_cast<char>(words.front() - 'a' + 'A');
    return words;
}

// "a, b and 3 more"
std::string listed_points(std::vector<std::string> names, std::string const& between) {
    auto const more = names.size() > most_named_points ? names.size() - most_named_points : 0;
    names.resize(names.size() - more);
    std::string text;
    for (auto const& name : names)
        text.append(text.empty() ? "" : between).append(name);
    return more > 0 ? text + fmt::format(" and {} more", more) : text;
}

// "block 10 to 160 (14 values)", "layout row-cyclic and diagonal"
std::string axis_text(TuningAxis const& axis) {
    if (axis.values.size() <= 4)
        return axis.name + " " + listed(axis.values, " and ");
    auto const count = counted(static_cast<std::int64_t>(axis.values.size()), "value");
    return axis.is_numeric()
               ? fmt::format("{} {} to {} ({})", axis.name, axis.values.front(), axis.values.back(), count)
               : fmt::format("{} ({})", axis.name, count);
}

// "size 960, ranks 8, copies": flags have their name only.
std::string fixed_text(Tuning const& tuning, std::string (*shown)(std::string const& value)) {
    std::string text;
    for (auto const& [name, value] : tuning.fixed)
        text += (text.empty() ? ": " : ", ") + name + (value == "true" ? "" : " " + shown(value));
    return text;
}

std::string head_of(Tuning const& tuning, Layout const& layout) {
    auto const as_typed = [](std::string const& value) { return value; };
    auto const head = printable(tuning.subject) + fixed_text(tuning, as_typed);
    std::vector<std::string> axes;
    for (auto const& axis : tuning.grid.axes)
        axes.push_back(axis_text(axis));
    auto const of = static_cast<std::int64_t>(tuning.grid.size());
    auto const points = tuning.points.size() == tuning.grid.size()
                            ? counted(of, "point")
                            : fmt::format("{} of {}", tuning.points.size(), counted(of, "point"));
    auto text = paragraph(head, layout) + paragraph(points + ": " + listed(axes, " x "), layout);
    if (!tuning.network.empty())
        text += paragraph("network " + tuning.network, layout);
    return text + '\n';
}

// Curve by curve, else by number.
std::vector<std::size_t> order_of(Tuning const& tuning) {
    std::vector<std::size_t> order;
    for (auto const& curve : tuning.findings.curves)
        order.insert(order.end(), curve.points.begin(), curve.points.end());
    if (order.empty()) {
        order.resize(tuning.points.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
    }
    return order;
}

// Axes in the order of the table: those that curves differ in, then the one along them.
std::vector<std::size_t> columns_of(TuningGrid const& grid) {
    auto const along = grid.curve_axis();
    std::vector<std::size_t> columns;
    for (std::size_t axis = 0; axis < grid.axes.size(); ++axis)
        if (axis != along)
            columns.push_back(axis);
    if (along)
        columns.push_back(*along);
    return columns;
}

std::string points_table(Tuning const& tuning, std::vector<std::size_t> const& shown, Layout const& layout) {
    auto const axes = columns_of(tuning.grid);
    std::vector<Column> columns;
    for (auto const axis : axes)
        columns.push_back(tuning.grid.axes[axis].is_numeric()
                              ? Column{tuning.grid.axes[axis].name, Align::right, Cut::heading}
                              : Column{tuning.grid.axes[axis].name, Align::left, Cut::middle});
    for (auto const& method : tuning.methods) {
        columns.push_back({std::string(method.key)});
        if (&method == &tuning.methods.front())
            columns.push_back({"", Align::left});  // marks
    }
    bool const has_steps = tuning.points.front().evaluation.computation_ns.has_value();
    if (has_steps) {
        columns.push_back({"computation"});
        columns.push_back({"communication"});
    }
    Table table(std::move(columns));
    auto const& found = tuning.findings;
    for (auto const i : shown) {
        auto const& point = tuning.points[i];
        std::vector<Cell> row;
        for (auto const axis : axes)
            row.push_back({tuning.grid.value(point.number, axis)});
        auto const is_near = std::ranges::find(found.near, i) != found.near.end();
        for (std::size_t method = 0; method < tuning.methods.size(); ++method) {
            row.push_back({tuned_time_text(tuning, point.time_ns(method))});
            if (method == 0)
                row.push_back({i == found.best.front() ? "*" : is_near ? "+" : ""});
        }
        if (auto const computation = point.evaluation.computation_ns) {
            row.push_back({tuned_time_text(tuning, *computation)});
            row.push_back({tuned_time_text(tuning, point.time_ns(0) - *computation) + " - " +
                           tuned_time_text(tuning, point.time_ns(1) - *computation)});
        }
        table.add(std::move(row));
    }
    return table.text(layout.colour, layout.table_width());
}

std::string table_of(Tuning const& tuning, Layout const& layout) {
    auto shown = order_of(tuning);
    std::string note;
    if (shown.size() > most_shown_points && layout.detail == Detail::short_form) {
        std::ranges::stable_sort(shown, {}, [&](std::size_t i) { return tuning.points[i].time_ns(); });
        note = fmt::format("The {} fastest of {}; --assumptions or --json gives all of them.\n",
                           fastest_shown_points, counted(static_cast<std::int64_t>(shown.size()), "point"));
        shown.resize(fastest_shown_points);
    }
    auto text = points_table(tuning, shown, layout);
    bool const has_range = tuning.points.front().evaluation.computation_ns.has_value();
    text += "* the best" + std::string(tuning.findings.near.empty() ? "" : ", + within 5 % of it") +
            (has_range ? "; communication: standard - overestimate" : "") + "\n";
    return text + note + '\n';
}

std::string best_sentence(Tuning const& tuning) {
    auto const best = tuning.findings.best.front();
    std::vector<std::string> times;
    for (std::size_t method = 0; method < tuning.methods.size(); ++method) {
        auto const words = tuning.methods[method].words;
        times.push_back(tuned_time_text(tuning, tuning.points[best].time_ns(method)) +
                        (words.empty() || tuning.methods.size() == 1 ? "" : " " + std::string(words)));
    }
    return "The best is " + point_text_at(tuning, best) + ": " + listed(times) + '.';
}

std::string near_sentence(Tuning const& tuning) {
    auto const& found = tuning.findings;
    if (found.near.empty())
        return "No other point is within 5 % of it.";
    std::vector<std::string> names;
    auto const best = tuning.points[found.best.front()].time_ns();
    for (auto const i : found.near) {
        auto const more = tuning.points[i].time_ns() / best - 1;
        names.push_back(point_text_at(tuning, i) +
                        (more < least_told ? " (as fast)" : " (+" + percent_text(more) + ")"));
    }
    return "Within 5 % of it: " + listed_points(std::move(names), "; ") + '.';
}

// Where the others see another best point.
std::vector<std::string> disagreements(Tuning const& tuning) {
    std::vector<std::string> sentences;
    auto const& found = tuning.findings;
    for (std::size_t method = 1; method < tuning.methods.size(); ++method) {
        auto const words = capitalised(std::string(tuning.methods[method].words));
        if (found.best[method] == found.best.front()) {
            sentences.push_back(words + " the best point is the same.");
            continue;
        }
        auto const& other = tuning.points[found.best[method]];
        auto const more = tuning.points[found.best.front()].time_ns(method) / other.time_ns(method) - 1;
        auto const price = other.time_ns() / tuning.points[found.best.front()].time_ns() - 1;
        sentences.push_back(fmt::format(
            "{} the best is another one, {}: {}, where the point above takes {} more. {} this other one "
            "takes "
            "{} more than the best.",
            words, point_text_at(tuning, found.best[method]), tuned_time_text(tuning, other.time_ns(method)),
            percent_text(more), capitalised(std::string(tuning.methods.front().words)), percent_text(price)));
    }
    return sentences;
}

// The values of the other axes: "layout diagonal"; empty where there is one curve.
std::string curve_text(Tuning const& tuning, TuningCurve const& curve) {
    std::vector<std::string> words;
    auto const along = tuning.grid.curve_axis();
    for (std::size_t axis = 0; axis < tuning.grid.axes.size(); ++axis)
        if (axis != along && tuning.grid.axes[axis].values.size() > 1)
            words.push_back(tuning.grid.axes[axis].name + " " +
                            tuning.grid.value(tuning.points[curve.points.front()].number, axis));
    return listed(words);
}

std::string teeth_sentence(Tuning const& tuning) {
    std::vector<std::string> curves;
    auto const along = tuning.grid.curve_axis();
    for (auto const& curve : tuning.findings.curves) {
        if (curve.lows.size() < 2)
            continue;
        std::vector<std::string> values;
        for (auto const low : curve.lows)
            values.push_back(tuning.grid.value(tuning.points[low].number, *along));
        auto const name = curve_text(tuning, curve);
        curves.push_back((name.empty() ? "" : name + " ") + "at " + listed(values, " and "));
    }
    // The last point of a search that is not over may look like the bottom of a tooth.
    if (tuning.findings.curves.empty() || tuning.is_interrupted)
        return {};
    auto const& name = tuning.grid.axes[*along].name;
    bool const is_curve = tuning.grid.axes[*along].values.size() > 3;
    if (curves.empty())
        return is_curve ? "Over " + name + " each curve has one low; no tooth beside it is higher than 1 %."
                        : "";
    return "Over " + name +
           " the times are sawteeth, with several lows: " + listed_points(std::move(curves), "; ") +
           ". A search that goes downhill from one " + name + " can end in any of them.";
}

// "block 30 to 160", "block 30"
std::string range_of_places(TuningAxis const& axis, std::size_t first, std::size_t last) {
    return axis.name + " " + axis.values[first] + (first == last ? "" : " to " + axis.values[last]);
}

std::string gain_text(TuningAxis const& along, std::vector<TuningWinner> const& winners) {
    auto const most = std::ranges::max_element(winners, {}, &TuningWinner::gain);
    auto const by = percent_text(most->gain);
    return winners.size() == 1
               ? "by " + by
               : fmt::format("by up to {} at {} {}", by, along.name, along.values[most->place]);
}

// Neighbours with the same winner.
std::vector<std::vector<TuningWinner>> stretches_of(std::vector<TuningWinner> const& winners) {
    std::vector<std::vector<TuningWinner>> stretches;
    for (auto const& each : winners) {
        if (stretches.empty() || stretches.back().back().winner != each.winner)
            stretches.emplace_back();
        stretches.back().push_back(each);
    }
    return stretches;
}

std::string contest_sentence(Tuning const& tuning, TuningContest const& contest) {
    auto const& along = tuning.grid.axes[*tuning.grid.curve_axis()];
    auto const& axis = tuning.grid.axes[contest.axis];
    auto const stretches = stretches_of(contest.winners);
    std::vector<std::string> parts;
    if (stretches.size() == 1) {
        auto const places = along.values.size() == contest.winners.size()
                                ? "every value"
                                : fmt::format("{} of {} values", contest.winners.size(), along.values.size());
        parts.push_back(fmt::format("{} is the fastest at {} of {}, {}",
                                    axis.values[stretches.front().front().winner], places, along.name,
                                    gain_text(along, contest.winners)));
    } else if (stretches.size() <= 4) {
        for (auto const& stretch : stretches)
            parts.push_back(fmt::format("{}{} for {}, {}", axis.values[stretch.front().winner],
                                        parts.empty() ? " is faster" : "",
                                        range_of_places(along, stretch.front().place, stretch.back().place),
                                        gain_text(along, stretch)));
    } else {
        std::map<std::size_t, std::vector<TuningWinner>> by_winner;
        for (auto const& each : contest.winners)
            by_winner[each.winner].push_back(each);
        for (auto const& [winner, won] : by_winner)
            parts.push_back(fmt::format(
                "{}{} at {} of {}, {}", axis.values[winner], parts.empty() ? " is faster" : "", won.size(),
                counted(static_cast<std::int64_t>(contest.winners.size()), "value"), gain_text(along, won)));
    }
    auto text = capitalised(axis.name) + ": " + listed_points(std::move(parts), "; ") + '.';
    if (contest.otherwise.empty())
        return text;
    std::map<std::size_t, std::vector<std::string>> places;  // by winner
    for (auto const& each : contest.otherwise)
        places[each.winner].push_back(along.values[each.place]);
    std::vector<std::string> others;
    for (auto const& [winner, values] : places)
        others.push_back(axis.values[winner] + " at " + along.name + " " + listed(values, " and "));
    return text + " " + capitalised(std::string(tuning.methods[1].words)) + " it is " +
           listed(others, ", and ") + ".";
}

std::string communication_sentence(Tuning const& tuning) {
    auto const& best = tuning.points[tuning.findings.best.front()];
    if (!best.evaluation.computation_ns || best.time_ns() <= 0)
        return {};
    auto const communication = [&](std::size_t method) {
        return best.time_ns(method) - *best.evaluation.computation_ns;
    };
    return fmt::format(
        "Communication takes {} of it by the standard algorithm, {} of the time, and {} by the "
        "overestimate.{}",
        tuned_time_text(tuning, communication(0)), percent_text(communication(0) / best.time_ns()),
        tuned_time_text(tuning, communication(1)),
        tuning.subject == "gaussian-elimination"
            ? " On their Meiko CS-2, Rugina and Schauser measured times between the two."
            : "");
}

// Circles of ranks that wait for each other.
std::string no_bound_sentence(Tuning const& tuning) {
    if (!tuning.points.front().evaluation.computation_ns)
        return {};
    std::vector<std::string> below;
    for (std::size_t i = 0; i < tuning.points.size(); ++i)
        if (tuning.points[i].time_ns(1) < tuning.points[i].time_ns(0))
            below.push_back(point_text_at(tuning, i));
    if (below.empty())
        return {};
    return "The overestimate is below the standard algorithm, and no bound, at " +
           listed_points(std::move(below), "; ") + '.';
}

// Ranks that do not begin a step together hold each other up.
std::string overlapped_sentence(Tuning const& tuning) {
    if (!tuning.points.front().evaluation.computation_ns)
        return {};
    auto const longer = std::ranges::count_if(
        tuning.points, [](TuningPoint const& point) { return point.time_ns(2) > 1.02 * point.time_ns(0); });
    if (longer == 0)
        return {};
    return fmt::format(
        "At {} it takes longer overlapped than in steps: a rank receives what has arrived before it sends, "
        "so "
        "ranks that do not begin a step together wait for each other.",
        counted(longer, "point"));
}

std::string interrupted_sentence(Tuning const& tuning) {
    return tuning.is_interrupted
               ? fmt::format("The search was interrupted after {} of {}, and what follows is about those.",
                             tuning.points.size(),
                             counted(static_cast<std::int64_t>(tuning.grid.size()), "point"))
               : "";
}

std::string not_looked_at(Tuning const& tuning) {
    if (tuning.points.size() == tuning.grid.size() || tuning.is_interrupted)
        return {};
    std::vector<std::string> names;
    std::size_t next = 0;
    for (std::uint64_t point = 0; point < tuning.grid.size() && names.size() < most_named_points; ++point)
        if (next < tuning.points.size() && tuning.points[next].number == point)
            ++next;
        else
            names.push_back(point_text(tuning.grid, point));
    auto const count = static_cast<std::size_t>(tuning.grid.size()) - tuning.points.size();
    return fmt::format(
        "The coarse search did not look at {}: {}{}. One of them may be faster; --search grid looks at all.",
        counted(static_cast<std::int64_t>(count), "point"), listed_points(names, "; "),
        count > names.size() ? fmt::format(" and {} more", count - names.size()) : "");
}

}  // namespace

std::string point_text(TuningGrid const& grid, std::uint64_t point) {
    std::string text;
    for (std::size_t axis = 0; axis < grid.axes.size(); ++axis)
        text += (text.empty() ? "" : ", ") + grid.axes[axis].name + " " + grid.value(point, axis);
    return text;
}

std::string tuning_title(Tuning const& tuning) {
    auto const text = file_name_of(tuning.subject) + fixed_text(tuning, file_name_of);
    auto const network = tuning.network.substr(0, tuning.network.find(':'));
    return text + (network.empty() ? "" : ", network " + network);
}

std::vector<std::string> tuning_sentences(Tuning const& tuning) {
    std::vector<std::string> sentences = {interrupted_sentence(tuning), best_sentence(tuning),
                                          near_sentence(tuning)};
    for (auto& sentence : disagreements(tuning))
        sentences.push_back(std::move(sentence));
    sentences.push_back(communication_sentence(tuning));
    sentences.push_back(teeth_sentence(tuning));
    for (auto const& contest : tuning.findings.contests)
        sentences.push_back(contest_sentence(tuning, contest));
    sentences.push_back(overlapped_sentence(tuning));
    sentences.push_back(no_bound_sentence(tuning));
    sentences.push_back(not_looked_at(tuning));
    std::erase_if(sentences, [](std::string const& sentence) { return sentence.empty(); });
    return sentences;
}

std::string tuning_text(Tuning const& tuning, Layout const& layout) {
    auto text = head_of(tuning, layout) + table_of(tuning, layout);
    for (auto const& sentence : tuning_sentences(tuning))
        text += paragraph(sentence, layout);
    if (layout.detail == Detail::all) {
        text += "\nAssumptions\n";
        for (auto const& sentence : tuning.assumptions)
            text += "  - " + wrapped(assumption_with_code(sentence), layout.width - 4, 4) + '\n';
    }
    return text + "\nnext: " + tuning.next_command + '\n';
}

}  // namespace parcast::report
