// What is believed of a model's execution time: for each point of a sweep its moments, by formula and by
// simulation.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "answer/question.h"
#include "core/moments.h"

namespace parcast {

// By formula. Times are divided by ModelBasis::per, if there is one.
struct ModelPoint {
    Moments time;                           // the greater of the two below; with phases: the sum of theirs
    Moments critical_path;                  // phi: without queueing
    Moments busiest;                        // omega: the work of the busiest resource, by its servers
    std::optional<std::uint32_t> resource;  // which, in ModelBasis::resources; none: nothing is contended for
    bool is_bound_by_resource = false;      // its mean is the greater one; with phases: of one of them
    bool is_attainable = true;              // some law has the moments of `time`
    bool is_matched = true;                 // the law that quantiles are taken from has all four
};

// By simulation, queueing included; with 95 % confidence. Divided by ModelBasis::per, too.
struct SimulatedPoint {
    Moments time;
    ConfidenceInterval mean, variance, skewness, kurtosis;
    std::vector<double> quantiles;  // by ModelBasis::levels
    std::uint64_t runs = 0;
};

// What one run out of twenty stays below, and what as many exceed: by formula.
struct QuantileBand {
    double low = 0;
    double high = 0;
};

// A number beside each point that another theory gives, such as the exact mean of a closed queueing network.
struct TheoryColumn {
    std::string heading;                        // of the text's column
    std::string key;                            // in the JSON
    std::vector<std::optional<double>> values;  // by point
};

struct ModelPhase {
    std::string name;
    Moments time;
    Moments critical_path;
    Moments busiest;
};

// What a parameter does to the mean and the variance. Elasticity: per cent for a per cent.
struct ParameterEffect {
    std::string parameter;
    double value = 0;
    double mean_slope = 0;
    double variance_slope = 0;
    double mean_elasticity = 0;
    double variance_elasticity = 0;
};

struct ModelBasis {
    std::string of;  // "main": a process, or an equation
    ModelMethod method = ModelMethod::moments;
    std::vector<Sweep> swept;  // a point for each combination, the last one changing first
    std::vector<std::pair<std::string, double>> fixed;  // other parameters
    std::optional<std::string> per;                     // the parameter that times are divided by
    std::vector<double> levels;                         // of the quantiles, per cent
    std::vector<std::string> resources;

    std::vector<ModelPoint> points;
    std::vector<double> quantiles;          // by point, then by level
    std::vector<QuantileBand> band;         // by point, or empty
    std::vector<SimulatedPoint> simulated;  // by point, or empty
    std::vector<TheoryColumn> theories;
    std::vector<std::vector<ModelPhase>> phases;        // by point, or empty
    std::vector<std::vector<ParameterEffect>> effects;  // by point, the greatest first, or empty
};

// The value of a swept parameter at a point.
double swept_value(ModelBasis const& model, std::size_t point, std::size_t parameter);

}  // namespace parcast
