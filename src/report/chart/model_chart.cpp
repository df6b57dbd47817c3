#include "report/chart/model_chart.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <vector>

#include <fmt/format.h>

#include "answer/number_text.h"
#include "report/chart/chart_axis.h"
#include "report/text.h"

namespace parcast::report {

namespace {

constexpr double width = 720;
constexpr double height = 400;
constexpr double top = 52;
constexpr double bottom = 52;
constexpr double label_width = 7;  // of a digit

constexpr char const* style = R"(<style>
  svg { --page: #ffffff; --ink: #111827; --faint: #4b5563; --line: #e5e7eb;
        --c0: #0b62c4; --c1: #c2410c; --c2: #15803d; --c3: #7c3aed; --c4: #be185d; --c5: #475569; }
  @media (prefers-color-scheme: dark) {
    svg { --page: #0f172a; --ink: #f1f5f9; --faint: #a3b0c2; --line: #2b3a52;
          --c0: #6db1ff; --c1: #fb9a5b; --c2: #5fd38a; --c3: #b79bff; --c4: #f58ab8; --c5: #b6c2d3; }
  }
  text { fill: var(--faint); } .title { fill: var(--ink); font-size: 14px; } .grid { stroke: var(--line); }
  .mean { fill: none; stroke-width: 1.8; } .band { opacity: 0.18; }
  .theory { fill: none; stroke-width: 1.5; stroke-dasharray: 5 4; } .bar { stroke-width: 1.4; }
</style>
)";

std::string escaped(std::string const& text) {
    std::string result;
    for (char const sign : printable(text)) {
        switch (sign) {
            case '<': result += "&lt;"; break;
            case '>': result += "&gt;"; break;
            case '&': result += "&amp;"; break;
            case '"': result += "&quot;"; break;
            default: result += sign;
        }
    }
    return result;
}

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
          x_(ChartAxis::of(prediction.model().swept[horizontal_].values,
                           prediction.model().swept[horizontal_].is_logarithmic, false)),
          y_(vertical_axis()) {
        std::size_t longest = 0;
        for (double const tick : y_.ticks())
            longest = std::max(longest, y_.label(tick).size());
        left_ = 20 + label_width * static_cast<double>(longest);
        right_ = 44 + label_width * static_cast<double>(longest_name());
    }

    std::string svg() {
        auto const title = escaped(title_text());
        text_ = fmt::format(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:g} {1:g}\" "
            "font-family=\"sans-serif\" font-size=\"12\" role=\"img\"><title>{2}</title>\n{3}"
            "<rect width=\"{0:g}\" height=\"{1:g}\" fill=\"var(--page)\"/>\n"
            "<text class=\"title\" x=\"{4:.1f}\" y=\"24\">{2}</text>\n",
            width, height, title, style, left_);
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

    // Of lines and bands in the legend: where curves have colours of their own, that of none of them.
    std::string legend_colour() const { return curves_.size() > 1 ? "var(--faint)" : "var(--c0)"; }

    bool has_formula() const { return prediction_.model().method != ModelMethod::simulate; }
    bool has_band() const { return has_formula() && !prediction_.model().band.empty(); }

    double at_x(std::size_t point) const {
        return left_ +
               (width - left_ - right_) * x_.place(swept_value(prediction_.model(), point, horizontal_));
    }
    double at_y(double value) const { return height - bottom - (height - top - bottom) * y_.place(value); }

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
        for (double const tick : y_.ticks()) {
            text_ += fmt::format(
                "<line class=\"grid\" x1=\"{0:.1f}\" x2=\"{1:.1f}\" y1=\"{2:.1f}\" y2=\"{2:.1f}\"/>"
                "<text x=\"{3:.1f}\" y=\"{4:.1f}\" text-anchor=\"end\">{5}</text>\n",
                left_, width - right_, at_y(tick), left_ - 8, at_y(tick) + 4, y_.label(tick));
        }
        for (double const tick : x_.ticks()) {
            double const x = left_ + (width - left_ - right_) * x_.place(tick);
            text_ += fmt::format(
                "<line class=\"grid\" x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"{1:.1f}\" y2=\"{2:.1f}\"/>"
                "<text x=\"{0:.1f}\" y=\"{3:.1f}\" text-anchor=\"middle\">{4}</text>\n",
                x, top, height - bottom, height - bottom + 18, x_.label(tick));
        }
        text_ += fmt::format(
            "<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>"
            "<text x=\"{:.1f}\" y=\"{:.1f}\">time{}</text>\n",
            (left_ + width - right_) / 2, height - 12, escaped(prediction_.model().swept[horizontal_].name),
            left_, top - 10, prediction_.model().per ? " / " + escaped(*prediction_.model().per) : "");
    }

    template <class Value>
    std::string path(std::vector<std::size_t> const& points, Value const& value) const {
        std::string text;
        for (auto const point : points)
            if (auto const y = at_y(value(point)); std::isfinite(y))
                text += fmt::format("{:.1f},{:.1f} ", at_x(point), y);
        return text;
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
        double const x = width - right_ + 10;
        text_ +=
            fmt::format("<g transform=\"translate({:.1f} {:.1f})\">{}<text x=\"26\" y=\"4\">{}</text></g>\n",
                        x, y, sign, escaped(name));
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
    ChartAxis x_;
    ChartAxis y_;
    double left_ = 0;
    double right_ = 0;
    std::string text_;
};

}  // namespace

std::string model_chart_svg(Answer const& prediction) {
    return Chart(prediction).svg();
}

}  // namespace parcast::report
