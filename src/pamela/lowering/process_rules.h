// What processes and resources are made of, and what they refuse: times, uses, compositions and choices whose
// parts are known. docs/formats/pamela.md, section "Processes".

#pragma once

#include <optional>
#include <vector>

#include "pamela/lowering/numeric_rules.h"
#include "pamela/lowering/value.h"
#include "pamela/model_builder.h"
#include "pamela/syntax/diagnostic_list.h"

namespace parcast::pamela {

// Every rule gives nothing after an error, which it has said.
class ProcessRules {
public:
    // Loans until the rules go.
    ProcessRules(ModelBuilder& builder, NumericRules& numbers, DiagnosticList& diagnostics)
        : builder_(builder), numbers_(numbers), diagnostics_(diagnostics) {}

    std::optional<symbolic::Expression> time(Operand const& operand);
    ProcessId delay(symbolic::Expression time);
    ProcessId use(ResourceId resource, symbolic::Expression time);
    // In sequence or in parallel.
    ProcessId composition(SyntaxKind kind, std::vector<ProcessId> const& parts);
    // Without an `otherwise`, nothing.
    ProcessId choice(Condition const& condition, ProcessId then, std::optional<ProcessId> otherwise);

    std::optional<ResourceId> fcfs(Operand const& index, Operand const& multiplicity);
    std::optional<ResourceId> choice(SyntaxNode const& node, Condition const& condition, ResourceId then,
                                     std::optional<ResourceId> otherwise);

private:
    std::optional<double> known_mean(symbolic::Expression expression) const;
    // None: only with the values of parameters, or random.
    std::optional<double> known(Condition const& condition) const;

    ModelBuilder& builder_;
    NumericRules& numbers_;
    DiagnosticList& diagnostics_;
};

}  // namespace parcast::pamela
