#include "report/chart/chart_panel.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "report/text.h"

namespace parcast::report {

namespace {

constexpr double digit_width = 7;

}  // namespace

char const* const chart_style = R"(<style>
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

std::string svg_escaped(std::string const& text) {
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

std::string ChartPanel::grid() const {
    std::string text;
    for (double const tick : y_.ticks())
        text += fmt::format(
            "<line class=\"grid\" x1=\"{0:.1f}\" x2=\"{1:.1f}\" y1=\"{2:.1f}\" y2=\"{2:.1f}\"/>"
            "<text x=\"{3:.1f}\" y=\"{4:.1f}\" text-anchor=\"end\">{5}</text>\n",
            edges_.left, edges_.right, at_y(tick), edges_.left - 8, at_y(tick) + 4, y_.label(tick));
    for (double const tick : x_.ticks())
        text += fmt::format(
            "<line class=\"grid\" x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"{1:.1f}\" y2=\"{2:.1f}\"/>"
            "<text x=\"{0:.1f}\" y=\"{3:.1f}\" text-anchor=\"middle\">{4}</text>\n",
            at_x(tick), edges_.top, edges_.bottom, edges_.bottom + 18, x_.label(tick));
    return text;
}

std::string ChartPanel::path(std::vector<std::pair<double, double>> const& points) const {
    std::string text;
    for (auto const& [x, y] : points)
        if (auto const height = at_y(y); std::isfinite(height))
            text += fmt::format("{:.1f},{:.1f} ", at_x(x), height);
    return text;
}

double label_width_of(ChartAxis const& axis) {
    std::size_t longest = 0;
    for (double const tick : axis.ticks())
        longest = std::max(longest, axis.label(tick).size());
    return digit_width * static_cast<double>(longest);
}

}  // namespace parcast::report
