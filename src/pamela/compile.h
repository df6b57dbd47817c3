// A model in the PAMELA language (docs/formats/pamela.md) as a process model: parsed, checked, and its
// equations substituted.
//
// Cost: O(length of the text) but for the substitution, which is done once for each equation and different
// arguments; models that are too large when substituted are refused.

#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "pamela/syntax/diagnostic.h"
#include "program/process_model.h"

namespace parcast::pamela {

// A parameter or an equation `numeric N = ...` that gets another value than in the text: --set N=1e6.
struct Setting {
    std::string name;
    double value = 0;
    // As if the text said `numeric parameter N = value`: N stays in the formulas, for a sweep. Otherwise as
    // if it said `numeric N = value`: also of a parameter, which is none then.
    bool stays_symbolic = false;
};

struct Compilation {
    ProcessModel model;                   // REQUIRES: no error among the diagnostics
    std::vector<Diagnostic> diagnostics;  // errors, warnings and notes, in the order of the text
    bool succeeded() const;
};

// The numeric equations whose right side is one number, and the parameters: what a reader may want to vary.
// Others follow from them. None of a text that cannot be read.
std::vector<std::string> named_numbers(std::string_view text);

// Reads files that a model names: empirical("times.txt").
using ReadFile = std::function<Result<std::string>(std::string_view name)>;

// `name` is how messages call the text. Settings of names that are not there are an error with the nearest
// name.
Compilation compile(std::string_view text, std::string_view name, std::span<Setting const> settings,
                    ReadFile const& read_file);

}  // namespace parcast::pamela
