#include "report/chart/tuning_chart.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "report/chart/chart_panel.h"
#include "report/text.h"
#include "report/tuning.h"

namespace parcast::report {

namespace {

constexpr double width = 760;
constexpr double top = 64;
constexpr double total_height = 230;
constexpr double part_height = 150;
constexpr double between = 56;  // panels: the numbers below one, the title of the next
constexpr double letter_width = 7;
constexpr std::size_t most_tuning_curves = 6;
// By method: drawn through, dashes, dots.
constexpr std::array<char const*, 3> line_kinds = {"", " stroke-dasharray=\"6 4\"",
                                                   " stroke-dasharray=\"1.5 4\" stroke-linecap=\"round\""};

struct Unit {
    double ns;
    char const* name;
};

Unit unit_for(double most_ns) {
    for (auto const& unit : {Unit{1e9, "s"}, Unit{1e6, "ms"}, Unit{1e3, "µs"}})
        if (most_ns >= unit.ns)
            return unit;
    return {1, "ns"};
}

// None: the point does not have it.
using Value = std::function<std::optional<double>(TuningPoint const& point)>;

struct PlottedLine {
    std::size_t kind;  // into line_kinds
    std::string name;
    Value value;
};

struct Part {
    std::string title;
    double height;
    std::vector<PlottedLine> lines;
};

std::vector<Part> parts_of(Tuning const& tuning) {
    std::vector<PlottedLine> totals;
    for (std::size_t method = 0; method < std::min(tuning.methods.size(), line_kinds.size()); ++method)
        totals.push_back(
            {method, std::string(tuning.methods[method].key),
             [method](TuningPoint const& point) { return std::optional(point.time_ns(method)); }});
    std::vector<Part> parts = {{"time", total_height, totals}};
    bool const has_steps = std::ranges::all_of(
        tuning.points, [](TuningPoint const& point) { return point.evaluation.computation_ns.has_value(); });
    if (!has_steps)
        return parts;
    Part communication{"communication", part_height, {}};
    for (std::size_t method = 0; method < 2; ++method)
        communication.lines.push_back({method, totals[method].name, [method](TuningPoint const& point) {
                                           return std::optional(point.time_ns(method) -
                                                                *point.evaluation.computation_ns);
                                       }});
    parts.push_back(std::move(communication));
    parts.push_back({"computation", part_height, {{0, "", [](TuningPoint const& point) {
                                                       return point.evaluation.computation_ns;
                                                   }}}});
    return parts;
}

// Values that grow by a factor rather than by a difference get as much room each.
bool is_geometric(std::vector<double> const& numbers) {
    if (numbers.front() <= 0 || numbers.back() < 8 * numbers.front())
        return false;
    double most = 0;
    for (std::size_t i = 1; i < numbers.size(); ++i)
        most = std::max(most, numbers[i] - numbers[i - 1]);
    return most > 2 * (numbers[1] - numbers[0]);
}

class TuningChart {
public:
    explicit TuningChart(Tuning const& tuning)
        : tuning_(tuning), axis_(*tuning.grid.curve_axis()), parts_(parts_of(tuning)) {
        auto const& curves = tuning.findings.curves;
        for (std::size_t i = 0; i < std::min(curves.size(), most_tuning_curves); ++i)
            curves_.push_back(&curves[curves.size() <= most_tuning_curves
                                          ? i
                                          : i * (curves.size() - 1) / (most_tuning_curves - 1)]);
        double most = 0;
        for (auto const& point : tuning.points)
            for (auto const time : point.evaluation.times_ns)
                most = std::isfinite(time) ? std::max(most, time) : most;
        unit_ = tuning.has_time_unit ? unit_for(most) : Unit{1, ""};
    }

    std::string svg() {
        double height = top;
        for (auto const& part : parts_)
            height += part.height + between;
        auto const title = svg_escaped(shorten(tuning_title(tuning_), 90));
        text_ = fmt::format(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:g} {1:g}\" "
            "font-family=\"sans-serif\" font-size=\"12\" role=\"img\"><title>{2}</title>\n{3}"
            "<rect width=\"{0:g}\" height=\"{1:g}\" fill=\"var(--page)\"/>\n",
            width, height, title, chart_style);
        double from = top;
        double left = 0;
        for (auto const& part : parts_)
            left = std::max(left, 20 + label_width_of(vertical_axis(part)));
        text_ += fmt::format("<text class=\"title\" x=\"{:.1f}\" y=\"24\">{}</text>\n", left, title);
        for (auto const& part : parts_) {
            ChartPanel const panel(horizontal_axis(), vertical_axis(part),
                                   {left, width - legend_width(), from, from + part.height});
            draw(part, panel);
            from += part.height + between;
        }
        legend(width - legend_width() + 14);
        return text_ + "</svg>\n";
    }

private:
    ChartAxis horizontal_axis() const {
        auto const& numbers = tuning_.grid.axes[axis_].numbers;
        return ChartAxis::of(numbers, is_geometric(numbers), false);
    }

    ChartAxis vertical_axis(Part const& part) const {
        std::vector<double> values;
        for (auto const* const curve : curves_)
            for (auto const& line : part.lines)
                for (auto const point : curve->points)
                    if (auto const value = line.value(tuning_.points[point]))
                        values.push_back(*value / unit_.ns);
        bool const is_positive = std::ranges::all_of(values, [](double value) { return value > 0; });
        bool const is_wide =
            is_positive && !values.empty() && std::ranges::max(values) > 10 * std::ranges::min(values);
        return ChartAxis::of(values, is_wide, true);
    }

    double number_of(std::size_t point) const {
        return tuning_.grid.axes[axis_].numbers[tuning_.grid.coordinate(tuning_.points[point].number, axis_)];
    }

    void draw(Part const& part, ChartPanel const& panel) {
        auto const& edges = panel.edges();
        text_ += panel.grid();
        text_ += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\">{}{}</text>\n", edges.left, edges.top - 12,
                             part.title, *unit_.name == '\0' ? "" : fmt::format(", {}", unit_.name));
        text_ += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>\n", edges.right,
                             edges.bottom + 32, svg_escaped(tuning_.grid.axes[axis_].name));
        for (std::size_t i = 0; i < curves_.size(); ++i)
            for (auto const& line : part.lines)
                draw(line, *curves_[i], panel, fmt::format("var(--c{})", i));
        if (&part == &parts_.front())
            mark_best(panel);
    }

    void draw(PlottedLine const& line, TuningCurve const& curve, ChartPanel const& panel,
              std::string const& colour) {
        std::vector<std::pair<double, double>> points;
        for (auto const point : curve.points)
            if (auto const value = line.value(tuning_.points[point]))
                points.emplace_back(number_of(point), *value / unit_.ns);
        text_ += fmt::format("<polyline class=\"mean\" points=\"{}\" stroke=\"{}\"{}/>\n", panel.path(points),
                             colour, line_kinds[line.kind]);
    }

    void mark_best(ChartPanel const& panel) {
        auto const best = tuning_.findings.best.front();
        double const y = panel.at_y(tuning_.points[best].time_ns() / unit_.ns);
        if (std::isfinite(y))
            text_ += fmt::format(
                "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"6\" fill=\"none\" stroke=\"var(--ink)\" "
                "stroke-width=\"1.8\"/>\n",
                panel.at_x(number_of(best)), y);
    }

    // The values of the other axes: "diagonal".
    std::string name_of(TuningCurve const& curve) const {
        std::string name;
        for (std::size_t other = 0; other < tuning_.grid.axes.size(); ++other) {
            auto const& axis = tuning_.grid.axes[other];
            if (other == axis_ || axis.values.size() < 2)
                continue;
            auto const& value = tuning_.grid.value(tuning_.points[curve.points.front()].number, other);
            name += (name.empty() ? "" : ", ") + (axis.is_numeric() ? axis.name + " " + value : value);
        }
        return name;
    }

    double legend_width() const {
        std::size_t longest = std::string_view("overestimate").size();
        for (auto const* const curve : curves_)
            longest = std::max(longest, display_width(name_of(*curve)));
        return 60 + letter_width * static_cast<double>(longest);
    }

    void legend(double x) {
        double y = top + 8;
        auto const add = [&](std::string const& sign, std::string const& name) {
            text_ += fmt::format(
                "<g transform=\"translate({:.1f} {:.1f})\">{}<text x=\"32\" y=\"4\">{}</text></g>\n", x, y,
                sign, svg_escaped(name));
            y += 20;
        };
        if (curves_.size() > 1)
            for (std::size_t i = 0; i < curves_.size(); ++i)
                add(fmt::format("<rect y=\"-5\" width=\"22\" height=\"10\" fill=\"var(--c{})\"/>", i),
                    name_of(*curves_[i]));
        y += curves_.size() > 1 ? 8 : 0;
        auto const& lines = parts_.front().lines;
        if (lines.size() > 1)
            for (auto const& line : lines)
                add(fmt::format("<line class=\"mean\" x2=\"24\" stroke=\"var(--faint)\"{}/>",
                                line_kinds[line.kind]),
                    line.name);
        add("<circle cx=\"12\" r=\"6\" fill=\"none\" stroke=\"var(--ink)\" stroke-width=\"1.8\"/>", "best");
    }

    Tuning const& tuning_;
    std::size_t axis_;
    std::vector<Part> parts_;
    std::vector<TuningCurve const*> curves_;
    Unit unit_{1, ""};
    std::string text_;
};

}  // namespace

std::string tuning_chart_svg(Tuning const& tuning) {
    return TuningChart(tuning).svg();
}

}  // namespace parcast::report
