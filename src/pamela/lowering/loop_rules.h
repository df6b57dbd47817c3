// What the loops seq, par, sum and max may go over, and what they mean.

#pragma once

#include "pamela/lowering/numeric_rules.h"
#include "pamela/lowering/value.h"
#include "pamela/model_builder.h"
#include "pamela/syntax/diagnostic_list.h"

namespace parcast::pamela {

// From first to last. A random last value is a random count, from 1.
struct LoopRange {
    symbolic::IndexId index;
    symbolic::Expression first;
    symbolic::Expression last;
    bool index_is_used = false;  // in the body
};

class LoopRules {
public:
    // Loans until the rules go.
    LoopRules(ModelBuilder& builder, NumericRules& numbers, DiagnosticList& diagnostics)
        : builder_(builder), numbers_(numbers), diagnostics_(diagnostics) {}

    bool are_bounds(SyntaxNode const& loop, Operand const& first, Operand const& last);
    // Whether the loop can have as many turns; said of values of parameters in the text, too.
    // REQUIRES: they are bounds.
    bool is_turns(SyntaxNode const& loop, Operand const& first, Operand const& last);
    // REQUIRES: the body is a process, or a number for sum and max.
    Value loop(SyntaxNode const& node, LoopRange const& range, Value const& body);

private:
    bool is_count(SyntaxNode const& loop, Operand const& first, Operand const& last);
    bool is_known_empty(LoopRange const& range) const;
    ProcessId process_loop(SyntaxKind kind, LoopRange const& range, ProcessId body);
    symbolic::Expression numeric_loop(SyntaxKind kind, LoopRange const& range, symbolic::Expression body);

    ModelBuilder& builder_;
    NumericRules& numbers_;
    DiagnosticList& diagnostics_;
};

}  // namespace parcast::pamela
