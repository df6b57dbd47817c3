// What one point of a model means, in sentences: the page of a model shows them again after every change of a
// parameter.

#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "answer/answer.h"

namespace parcast {

struct ModelPointFacts {
    std::string of;                  // a process, or an equation
    std::optional<std::string> per;  // what times are divided by
    ModelPoint point;
    std::span<double const> levels;  // of quantiles, per cent
    std::span<double const> quantiles;
    std::span<std::string const> resources;
    std::span<ParameterEffect const> effects;  // the greatest first; empty: not known
    bool has_phases = false;
};

// The first one is the verdict: how long it takes.
std::vector<std::string> model_point_sentences(ModelPointFacts const& facts);

}  // namespace parcast
