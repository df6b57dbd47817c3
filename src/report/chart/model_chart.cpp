#include "report/chart/model_chart.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <vector>

#include <fmt/format.h>

#include "answer/number_text.h"
#include "report/chart/chart_panel.h"
#include "report/text.h"

namespace parcast::report {

namespace {

constexpr double width = 720;
constexpr double height = 400;
constexpr double top = 52;
constexpr double bottom = 52;
constexpr double label_width = 7;  // of a digit

// Points of one combination of the other parameters, in the order of the horizontal axis.
struct Curve {
    std::string name;
    std::vector<std::size_t> points;
};

std::size_t points_of(Answer const& prediction) {
    return std::max(prediction.model().points.size(), prediction.model().simulated.size());
}

std::size_t horizontal_of(Answer const& prediction) {
    auto const found = std::ranges::find_if(
        prediction.model().swept, [](Sweep const& parameter) { return parameter.values.size() > 1; });
    return static_cast<std::size_t>(found - prediction.model().swept.begin());
}

std::string name_of(Answer const& prediction, std::size_t point, std::size_t horizontal) {
    std::string name;
    for (std::size_t i = 0; i < prediction.model().swept.size(); ++i)
        if (i != horizontal)
            name += (name.empty() ? "" : ", ") + prediction.model().swept[i].name + " = " +
                    exact_number_text(swept_value(prediction.model(), point, i));
    return name;
}

std::vector<Curve> curves_of(Answer const& prediction, std::size_t horizontal) {
    std::vector<Curve> curves;
    std::size_t const values = prediction.model().swept[horizontal].values.size();
    std::size_t stride = 1;
    for (std::size_t later = horizontal + 1; later < prediction.model().swept.size(); ++later)
        stride *= prediction.model().swept[later].values.size();
    std::size_t const others = points_of(prediction) / values;
    for (std::size_t i = 0; i < std::min(others, most_curves); ++i) {
        std::size_t const other = others <= most_curves ? i : i * (others - 1) / (most_curves - 1);
        std::size_t const first = other / stride * stride * values + other % stride;
        Curve curve{name_of(prediction, first, horizontal), {}};
        for (std::size_t value = 0; value < values; ++value)
            curve.points.push_back(first + value * stride);
        curves.push_back(std::move(curve));
    }
    for (auto& curve : curves) {
        std::ranges::sort(curve.points, {}, [&](std::size_t point) {
            return swept_value(prediction.model(), point, horizontal);
        });
    }
    return curves;
}

class Chart {
public:
    explicit Chart(Answer const& prediction)
        : prediction_(prediction),
          horizontal_(horizontal_of(prediction)),
          curves_(curves_of(prediction, horizontal_)),
          panel_(panel()) {}

    std::string svg() {
        auto const title = svg_escaped(title_text());
        text_ = fmt::format(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:g} {1:g}\" "
            "font-family=\"sans-serif\" font-size=\"12\" role=\"img\"><title>{2}</title>\n{3}"
            "<rect width=\"{0:g}\" height=\"{1:g}\" fill=\"var(--page)\"/>\n"
            "<text class=\"title\" x=\"{4:.1f}\" y=\"24\">{2}</text>\n",
            width, height, title, chart_style, panel_.edges().left);
        axes();
        for (std::size_t i = 0; i < curves_.size(); ++i)
            curve(curves_[i], fmt::format("var(--c{})", i));
        legend();
        return text_ + "</svg>\n";
    }

private:
    // "mrm.pam: main, N = 1000000"
    std::string title_text() const {
        auto const folder_end = prediction_.file.rfind('/');
        auto text = prediction_.file.substr(folder_end == std::string::npos ? 0 : folder_end + 1) + ": " +
                    prediction_.model().of;
        for (auto const& [name, value] : prediction_.model().fixed)
            text += ", " + name + " = " + exact_number_text(value);
        return text;
    }

    // For lines and bands in the legend: where curves have colours of their own, that of none of them.
    std::string legend_colour() const { return curves_.size() > 1 ? "var(--faint)" : "var(--c0)"; }

    bool has_formula() const { return prediction_.model().method != ModelMethod::simulate; }
    bool has_band() const { return has_formula() && !prediction_.model().band.empty(); }

    ChartPanel panel() const {
        auto const& swept = prediction_.model().swept[horizontal_];
        auto const y = vertical_axis();
        double const right = 44 + label_width * static_cast<double>(longest_name());
        return {ChartAxis::of(swept.values, swept.is_logarithmic, false),
                y,
                {20 + label_width_of(y), width - right, top, height - bottom}};
    }

    double value_of(std::size_t point) const { return swept_value(prediction_.model(), point, horizontal_); }
    double at_x(std::size_t point) const { return panel_.at_x(value_of(point)); }
    double at_y(double value) const { return panel_.at_y(value); }

    std::size_t longest_name() const {
        std::size_t longest = std::string("90 % of the runs").size();
        for (auto const& one : curves_)
            longest = std::max(longest, display_width(one.name));
        for (auto const& theory : prediction_.model().theories)
            longest = std::max(longest, display_width(theory.heading));
        return longest;
    }

    ChartAxis vertical_axis() const {
        std::vector<double> values;
        for (auto const& one : curves_)
            for (auto const point : one.points)
                add_values(values, point);
        auto const positive = std::ranges::all_of(values, [](double value) { return value > 0; });
        bool const wide =
            positive && !values.empty() && std::ranges::max(values) > 50 * std::ranges::min(values);
        return ChartAxis::of(values, wide, true);
    }

    void add_values(std::vector<double>& values, std::size_t point) const {
        if (has_formula())
            values.push_back(prediction_.model().points[point].time.mean);
        if (has_band())
            values.insert(values.end(),
                          {prediction_.model().band[point].low, prediction_.model().band[point].high});
        if (!prediction_.model().simulated.empty()) {
            auto const& mean = prediction_.model().simulated[point].mean;
            values.insert(values.end(), {mean.low, mean.high});
        }
        for (auto const& theory : prediction_.model().theories)
            if (theory.values[point])
                values.push_back(*theory.values[point]);
    }

    void axes() {
        text_ += panel_.grid();
        auto const& edges = panel_.edges();
        text_ += fmt::format(
            "<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>"
            "<text x=\"{:.1f}\" y=\"{:.1f}\">time{}</text>\n",
            (edges.left + edges.right) / 2, height - 12,
            svg_escaped(prediction_.model().swept[horizontal_].name), edges.left, top - 10,
            prediction_.model().per ? " / " + svg_escaped(*prediction_.model().per) : "");
    }

    template <class Value>
    std::string path(std::vector<std::size_t> const& points, Value const& value) const {
        std::vector<std::pair<double, double>> values;
        for (auto const point : points)
            values.emplace_back(value_of(point), value(point));
        return panel_.path(values);
    }

    void curve(Curve const& one, std::string const& colour) {
        if (has_band()) {
            auto const upper =
                path(one.points, [&](std::size_t point) { return prediction_.model().band[point].high; });
            std::vector<std::size_t> const back(one.points.rbegin(), one.points.rend());
            auto const lower =
                path(back, [&](std::size_t point) { return prediction_.model().band[point].low; });
            text_ +=
                fmt::format("<polygon class=\"band\" points=\"{}{}\" fill=\"{}\"/>\n", upper, lower, colour);
        }
        if (has_formula()) {
            auto const mean = [&](std::size_t point) { return prediction_.model().points[point].time.mean; };
            text_ += fmt::format("<polyline class=\"mean\" points=\"{}\" stroke=\"{}\"/>\n",
                                 path(one.points, mean), colour);
        }
        theories(one);
        simulated(one, colour);
    }

    void theories(Curve const& one) {
        for (auto const& theory : prediction_.model().theories) {
            auto const value = [&](std::size_t point) { return theory.values[point].value_or(std::nan("")); };
            text_ += fmt::format("<polyline class=\"theory\" points=\"{}\" stroke=\"var(--ink)\"/>\n",
                                 path(one.points, value));
        }
    }

    void simulated(Curve const& one, std::string const& colour) {
        if (prediction_.model().simulated.empty())
            return;
        for (auto const point : one.points) {
            auto const& at = prediction_.model().simulated[point];
            text_ += fmt::format(
                "<line class=\"bar\" x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"{1:.1f}\" y2=\"{2:.1f}\" "
                "stroke=\"{3}\"/><circle cx=\"{0:.1f}\" cy=\"{4:.1f}\" r=\"3\" "
                "fill=\"var(--page)\" stroke=\"{3}\" stroke-width=\"1.6\"/>\n",
                at_x(point), at_y(at.mean.low), at_y(at.mean.high), colour, at_y(at.time.mean));
        }
    }

    void legend_line(double& y, std::string const& sign, std::string const& name) {
        double const x = panel_.edges().right + 10;
        text_ +=
            fmt::format("<g transform=\"translate({:.1f} {:.1f})\">{}<text x=\"26\" y=\"4\">{}</text></g>\n",
                        x, y, sign, svg_escaped(name));
        y += 20;
    }

    void legend() {
        double y = top + 8;
        if (curves_.size() > 1) {
            for (std::size_t i = 0; i < curves_.size(); ++i)
                legend_line(y,
                            fmt::format("<rect y=\"-5\" width=\"18\" height=\"10\" fill=\"var(--c{})\"/>", i),
                            curves_[i].name);
            y += 8;
        }
        auto const colour = legend_colour();
        if (has_formula())
            legend_line(y, fmt::format("<line class=\"mean\" x2=\"18\" stroke=\"{}\"/>", colour), "mean");
        if (has_band())
            legend_line(
                y,
                fmt::format("<rect class=\"band\" y=\"-6\" width=\"18\" height=\"12\" fill=\"{}\"/>", colour),
                "90 % of the runs");
        for (auto const& theory : prediction_.model().theories)
            legend_line(y, "<line class=\"theory\" x2=\"18\" stroke=\"var(--ink)\"/>", theory.heading);
        if (!prediction_.model().simulated.empty())
            legend_line(
                y,
                fmt::format(
                    "<circle cx=\"9\" r=\"3\" fill=\"var(--page)\" stroke=\"{}\" stroke-width=\"1.6\"/>",
                    colour),
                "simulated");
    }

    Answer const& prediction_;
    std::size_t horizontal_;
    std::vector<Curve> curves_;
    ChartPanel panel_;
    std::string text_;
};

}  // namespace

std::string model_chart_svg(Answer const& prediction) {
    return Chart(prediction).svg();
}

}  // namespace parcast::report
