// A model as it is written: equations whose right sides are trees of operators, calls and loops. Nothing is
// known yet of what a name means. Parentheses and braces that only group have no node.

#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "pamela/syntax/diagnostic_list.h"

namespace parcast::pamela {

enum class SyntaxKind : std::uint8_t {
    unreadable,  // said already
    number,
    text,
    name,     // also a call without arguments
    call,     // its arguments
    vector,   // its elements
    element,  // vector, index
    negate,
    complement,  // not
    sum,         // two or more terms; those after a minus are in a `subtracted`
    subtracted,
    multiply,
    divide,
    quotient,   // div
    remainder,  // mod
    power,
    less,
    less_or_equal,
    greater,
    greater_or_equal,
    equal,
    not_equal,
    conjunction,
    disjunction,
    sequence,         // ;  of none (an empty block) or of two or more
    parallel,         // || of two or more
    sequential_loop,  // seq: first, last, body
    parallel_loop,    // par
    sum_loop,         // sum (i = first, last) { body }
    maximum_loop,     // max (i = first, last) { body }
    choice,           // condition, then, and what is after else, if there is an else
};

struct SyntaxId {
    std::uint32_t value = 0;
    friend bool operator==(SyntaxId, SyntaxId) = default;
};

struct SyntaxNode {
    SyntaxKind kind = SyntaxKind::unreadable;
    TextRange place;   // what a message about it marks: a name, an operator, a keyword
    TextRange extent;  // all of it
    std::string word;  // of a name, call, text, or the index of a loop
    double number = 0;
    std::vector<SyntaxId> children;
};

enum class EquationKind : std::uint8_t { numeric, process, resource };

char const* name_of(EquationKind kind);

struct Formal {
    std::string name;
    TextRange place;
};

struct Equation {
    EquationKind kind = EquationKind::numeric;
    bool is_parameter = false;  // said to be one, or a numeric without a right side
    std::string name;
    TextRange place;
    std::vector<Formal> formals;
    std::optional<SyntaxId> body;  // none: a parameter without a value, or unreadable
};

// Invariant: nodes only refer to nodes before them, and are nested at most `deepest` deep.
struct Syntax {
    static constexpr std::uint32_t deepest = 300;

    std::vector<Equation> equations;
    std::vector<SyntaxNode> nodes;
    // Words of equations that were not understood at all: what they would have defined may be among these.
    std::set<std::string, std::less<>> lost_words;

    SyntaxNode const& operator[](SyntaxId id) const { return nodes[id.value]; }
};

}  // namespace parcast::pamela
