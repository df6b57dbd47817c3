#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "report/chart/chart_panel.h"
#include "report/names.h"
#include "report/signature.h"
#include "report/text.h"

namespace parcast::report {

namespace {

constexpr double chart_width = 760;
constexpr double chart_left = 76;
constexpr double chart_right = 590;  // the names of the lines follow
constexpr double first_top = 64;
constexpr double panel_height = 180;
constexpr double panel_distance = 56;

using ValueOfRecording = std::function<std::optional<double>(RecordingSignature const&)>;

struct SignatureLine {
    std::string name;
    int colour;
    bool is_theory;
    ValueOfRecording value;
    ValueOfRecording ci95 = {};  // half of an interval; empty: none
};

struct SignaturePanel {
    std::string title;
    bool logarithmic;
    std::vector<SignatureLine> lines;
};

std::optional<double> if_positive(double value, double unit = 1) {
    return value > 0 ? std::optional(value / unit) : std::nullopt;
}

SignatureLine line_of(std::string name, int colour, OverThreads SignatureMeans::* quantity) {
    constexpr double us = 1e3;
    return {std::move(name), colour, false,
            [quantity](auto const& recording) { return if_positive((recording.means.*quantity).mean, us); },
            [quantity](auto const& recording) -> std::optional<double> {
                auto const ci95 = (recording.means.*quantity).ci95;
                return ci95 ? std::optional(*ci95 / us) : std::nullopt;
            }};
}

std::vector<SignaturePanel> signature_panels() {
    constexpr double ms = 1e6;
    using Recording = RecordingSignature;
    return {
        {"events E (points) and g(P)",
         true,
         {{"recorded", 0, false,
           [](Recording const& recording) { return if_positive(static_cast<double>(recording.events)); }},
          {"g(P)", 0, true,
           [](Recording const& recording) { return if_positive(recording.fitted_events); }}}},
        {"work of a thread W(P)/P, ms",
         true,
         {{"W/P", 0, false,
           [](Recording const& recording) {
               return if_positive(recording.work_ns, ms * static_cast<double>(recording.threads));
           }}}},
        {"an event, µs, with 95 % intervals over threads",
         true,
         {line_of("active α", 0, &SignatureMeans::alpha_ns), line_of("write", 2, &SignatureMeans::write_ns),
          line_of("read", 1, &SignatureMeans::read_ns),
          line_of("algorithmic", 3, &SignatureMeans::algorithmic_ns)}},
        {"speed-up",
         false,
         {{"replay", 0, false, [](Recording const& recording) { return recording.speed_up; }},
          {"theorem", 1, true, [](Recording const& recording) { return recording.theorem; }},
          {"Amdahl", 2, true, [](Recording const& recording) { return recording.amdahl; }},
          {"Gustafson", 3, true, [](Recording const& recording) { return recording.gustafson; }},
          {"USL", 4, true, [](Recording const& recording) { return recording.universal; }},
          {"measured", 5, false,
           [](Recording const& recording) -> std::optional<double> {
               return recording.measured ? std::optional(recording.measured->median) : std::nullopt;
           }}}},
    };
}

using ChartPoints = std::vector<std::pair<double, double>>;

class SignatureChart {
public:
    explicit SignatureChart(SignatureAnswer const& answer) : answer_(answer) {
        for (auto const& recording : answer.recordings)
            threads_.push_back(static_cast<double>(recording.threads));
    }

    std::string svg() {
        auto const panels = signature_panels();
        auto const height = first_top + static_cast<double>(panels.size()) * (panel_height + panel_distance);
        auto const title = svg_escaped(shorten("Signature of " + shown_command(answer_.command), 90));
        text_ = fmt::format(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:g} {1:g}\" "
            "font-family=\"sans-serif\" "
            "font-size=\"12\" role=\"img\"><title>{2}</title>\n{3}<rect width=\"{0:g}\" height=\"{1:g}\" "
            "fill=\"var(--page)\"/>\n<text class=\"title\" x=\"{4:g}\" y=\"24\">{2}</text>\n",
            chart_width, height, title, chart_style, chart_left);
        auto top = first_top;
        for (auto const& panel : panels) {
            draw(panel, top);
            top += panel_height + panel_distance;
        }
        return text_ + "</svg>\n";
    }

private:
    ChartPoints points_of(ValueOfRecording const& value) const {
        ChartPoints points;
        for (std::size_t i = 0; i < threads_.size(); ++i)
            if (auto const found = value(answer_.recordings[i]))
                points.emplace_back(threads_[i], *found);
        return points;
    }

    void draw(SignaturePanel const& panel, double top) {
        std::vector<double> values;
        for (auto const& line : panel.lines)
            for (auto const& point : points_of(line.value))
                values.push_back(point.second);
        if (values.empty())
            values.push_back(1);
        bool const is_wide = panel.logarithmic && std::ranges::max(values) > 3 * std::ranges::min(values);
        bool const has_wide_threads = threads_.back() >= 4 * threads_.front();
        ChartPanel const area(ChartAxis::of(threads_, has_wide_threads, false),
                              ChartAxis::of(values, is_wide, true),
                              {chart_left, chart_right, top, top + panel_height});
        text_ += area.grid() + fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", chart_left,
                                           top - 12, svg_escaped(panel.title));
        text_ += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">P</text>\n", chart_right,
                             top + panel_height + 32);
        auto y = top + 8;
        for (auto const& line : panel.lines) {
            auto const points = points_of(line.value);
            if (points.empty())
                continue;
            draw(line, points, area);
            text_ += fmt::format(
                "<line class=\"{}\" x1=\"{:.1f}\" x2=\"{:.1f}\" y1=\"{:.1f}\" y2=\"{:.1f}\" "
                "stroke=\"var(--c{})\"/><text x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n",
                line.is_theory ? "theory" : "mean", chart_right + 14, chart_right + 38, y, y, line.colour,
                chart_right + 46, y + 4, svg_escaped(line.name));
            y += 20;
        }
    }

    void draw(SignatureLine const& line, ChartPoints const& points, ChartPanel const& area) {
        text_ += fmt::format("<polyline class=\"{}\" points=\"{}\" stroke=\"var(--c{})\"/>\n",
                             line.is_theory ? "theory" : "mean", area.path(points), line.colour);
        if (line.is_theory)
            return;
        for (auto const& [threads, value] : points)
            text_ += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\" fill=\"var(--c{})\"/>\n",
                                 area.at_x(threads), area.at_y(value), line.colour);
        if (line.ci95)
            draw_intervals(line, area);
    }

    void draw_intervals(SignatureLine const& line, ChartPanel const& area) {
        for (std::size_t i = 0; i < threads_.size(); ++i) {
            auto const value = line.value(answer_.recordings[i]);
            auto const half = line.ci95(answer_.recordings[i]);
            if (!value || !half)
                continue;
            auto const clamped = [&](double at) {
                return std::clamp(area.at_y(at), area.edges().top, area.edges().bottom);
            };
            auto const low = *value - *half;
            text_ += fmt::format(
                "<line class=\"bar\" x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"{1:.1f}\" "
                "y2=\"{2:.1f}\" stroke=\"var(--c{3})\"/>\n",
                area.at_x(threads_[i]), clamped(*value + *half), low > 0 ? clamped(low) : area.edges().bottom,
                line.colour);
        }
    }

    SignatureAnswer const& answer_;
    std::vector<double> threads_;
    std::string text_;
};

}  // namespace

std::string signature_chart_svg(SignatureAnswer const& answer) {
    return SignatureChart(answer).svg();
}

}  // namespace parcast::report
