// What the charts share: the colours of light and dark pages, and a rectangle with two axes.

#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "report/chart/chart_axis.h"

namespace parcast::report {

// Variables --page, --ink, --faint, --line and --c0 to --c5, and classes of lines.
extern char const* const chart_style;

// Text of people in an SVG.
std::string svg_escaped(std::string const& text);

// Edges of a rectangle, in units of the picture.
struct ChartEdges {
    double left = 0;
    double right = 0;
    double top = 0;
    double bottom = 0;
};

class ChartPanel {
public:
    ChartPanel(ChartAxis x, ChartAxis y, ChartEdges edges)
        : x_(std::move(x)), y_(std::move(y)), edges_(edges) {}

    double at_x(double value) const { return edges_.left + (edges_.right - edges_.left) * x_.place(value); }
    double at_y(double value) const { return edges_.bottom - (edges_.bottom - edges_.top) * y_.place(value); }
    ChartEdges const& edges() const { return edges_; }

    // Lines and numbers of both axes.
    std::string grid() const;
    // Through the points that are finite: "12.0,30.5 14.0,31.0 ".
    std::string path(std::vector<std::pair<double, double>> const& points) const;

private:
    ChartAxis x_;
    ChartAxis y_;
    ChartEdges edges_;
};

// How wide the numbers of an axis are, in units of the picture.
double label_width_of(ChartAxis const& axis);

}  // namespace parcast::report
