// The formulas of a model's execution time, in the notations that people and programs read.

#pragma once

#include <optional>
#include <string>
#include <vector>

namespace parcast {

struct FormulaParameter {
    std::string name;
    std::optional<double> value;
    std::string value_text;  // with all digits; empty without a value
};

struct FormulaEquation {
    std::string name;  // "T_main"
    bool is_random = false;
    bool is_vector = false;
    std::string pamela;
    std::string pamela_in_full;  // with all digits
    std::string latex_name;
    std::string latex;
    std::string python;
};

// A resource that omega leaves out.
struct ResourceLeftOut {
    std::string process;  // "main", or "main, phase 2"
    std::string name;
    std::string reason;
};

struct FormulaAnswer {
    std::vector<FormulaParameter> parameters;
    std::vector<FormulaEquation> equations;
    std::vector<ResourceLeftOut> left_out;
    std::string fixed;  // "P,N": equations whose number is in the formula, and which could be parameters
    std::string python_definitions;  // that the Python of the equations needs
};

}  // namespace parcast
