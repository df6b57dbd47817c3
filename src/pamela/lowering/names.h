// What the names of a model mean: formal parameters and loop indices where they are bound, equations anywhere
// in the text, then what the language defines. Says which names mean nothing, are given twice, or have the
// wrong number of arguments, and which equations need themselves.
//
// An index that is used outside its loop, in an equation where a loop with that index has a first value that
// is written as a number, means that number, with a warning: the published model of PSRS is written so.

#pragma once

#include <map>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "pamela/syntax/diagnostic_list.h"
#include "pamela/syntax/syntax.h"

namespace parcast::pamela {

struct Names {
    std::unordered_map<std::string_view, std::size_t> equations;  // by name: the first of that name
    std::map<std::uint32_t, double> stray_indices;                // nodes that mean a number
    std::vector<bool> is_recursive;  // each equation: needs itself, or one that does
    std::vector<std::size_t> order;  // all equations, each after those it needs
};

// A loan of the syntax's names.
Names resolve(Syntax const& syntax, DiagnosticList& diagnostics);

// "did you mean 't_s'?", or empty. Names of one letter are only taken for the same letter of the other case.
std::string suggestion(std::string_view typed, std::vector<std::string_view> const& known);

}  // namespace parcast::pamela
