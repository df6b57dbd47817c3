// A formula that is evaluated often: its parameters are bound to their values once, and what does not depend
// on an index is computed once. Cost of an evaluation: a step a term that is left, no allocation.

#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "symbolic/formula.h"
#include "symbolic/parameters.h"

namespace parcast::symbolic {

class Tape {
public:
    // Names in `indices` are left open, to be given in this order to evaluate(); they hide parameters of the
    // same name. Errors: not_found (a parameter without a value).
    static Result<Tape> bind(Formula const& formula, Parameters const& parameters,
                             std::span<std::string_view const> indices = {});

    // Errors: out_of_range (not finite). REQUIRES: a value for each index.
    Result<double> evaluate(std::span<double const> indices = {}) const;

private:
    enum class StepKind : std::uint8_t { number, index, operation };
    struct Step {
        StepKind kind;
        Operation operation;
        std::uint32_t index;
        double number;
    };

    void append(Operation operation);
    double value(std::span<double const> indices) const;

    std::vector<Step> steps_;
    std::vector<std::string> index_names_;
    std::string text_;
};

}  // namespace parcast::symbolic
