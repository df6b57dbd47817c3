// What a search over the parameters of a program found: times at the points that were looked at, the best of
// them, and what the curves have in common.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace parcast {

// The values that a parameter goes through.
struct TuningAxis {
    std::string name;
    std::vector<std::string> values;   // as they are written
    std::vector<double> numbers = {};  // the same, rising; empty: names, which have no order

    bool is_numeric() const { return !numbers.empty(); }
};

// Every combination of values. Points are numbered; the last axis changes from one to the next.
struct TuningGrid {
    std::vector<TuningAxis> axes;

    std::uint64_t size() const;
    // Which value of the axis the point has. REQUIRES: point < size().
    std::size_t coordinate(std::uint64_t point, std::size_t axis) const;
    std::uint64_t point_at(std::vector<std::size_t> const& coordinates) const;
    std::string const& value(std::uint64_t point, std::size_t axis) const {
        return axes[axis].values[coordinate(point, axis)];
    }
    // The first numeric axis with several values: that of curves. None: there are no curves.
    std::optional<std::size_t> curve_axis() const;
};

// What is believed of one point.
struct Evaluation {
    std::vector<double> times_ns;               // by method; of models in their unit of time
    std::optional<double> computation_ns = {};  // within the first
    std::vector<std::string> assumptions = {};  // sentences

    friend bool operator==(Evaluation const&, Evaluation const&) = default;
};

struct TuningPoint {
    std::uint64_t number = 0;  // in the grid
    Evaluation evaluation;

    double time_ns(std::size_t method = 0) const { return evaluation.times_ns[method]; }
};

// How a time was found. The first one is what is searched for the best.
struct TuningMethod {
    std::string_view key;    // "standard": in tables and JSON
    std::string_view words;  // "by the standard algorithm"; empty where there is no other
};

// Points beside each other along the curve axis, the other values being equal.
struct TuningCurve {
    std::vector<std::size_t> points;  // into Tuning::points, rising along the axis
    // Of them, those from which the time rises on both sides, by more than a hundredth: beside the lowest one
    // they are teeth.
    std::vector<std::size_t> lows;
};

// Which value of an axis of names is the fastest at one place of the curve axis.
struct TuningWinner {
    std::size_t place = 0;   // of the curve axis
    std::size_t winner = 0;  // of the axis of names
    double gain = 0;         // how much longer the next one takes, as a share
};
struct TuningContest {
    std::size_t axis = 0;
    std::vector<TuningWinner> winners;  // by the first method, rising along the curve axis
    // Of the second method, where it has another one.
    std::vector<TuningWinner> otherwise;
};

struct TuningFindings {
    std::vector<std::size_t> best;  // by method, into Tuning::points
    std::vector<std::size_t> near;  // other points within most_near of the first best, the fastest first
    std::vector<TuningCurve> curves;
    std::vector<TuningContest> contests;
};
inline constexpr double most_near = 0.05;

struct Tuning {
    std::string subject;                                     // "gaussian-elimination", or a file
    std::string form;                                        // as in Form, of JSON
    bool has_time_unit = true;                               // ns; models have their own
    std::vector<std::pair<std::string, std::string>> fixed;  // parameters that are the same at all points
    std::string network;                                     // in words; empty: none
    TuningGrid grid;
    bool is_coarse = false;
    bool is_interrupted = false;  // the search was not over
    std::vector<TuningMethod> methods;
    std::vector<TuningPoint> points;  // that were looked at, by number
    TuningFindings findings;
    std::vector<std::string> assumptions;
    std::string next_command;  // for the best point
};

}  // namespace parcast
