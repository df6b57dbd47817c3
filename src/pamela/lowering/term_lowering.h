// The terms of right sides as values: what each name in them means, and which rule holds for each operator
// (numeric_rules.h, process_rules.h, loop_rules.h).

#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pamela/compile.h"
#include "pamela/lowering/builtin.h"
#include "pamela/lowering/loop_rules.h"
#include "pamela/lowering/names.h"
#include "pamela/lowering/numeric_rules.h"
#include "pamela/lowering/process_rules.h"
#include "pamela/lowering/value.h"
#include "pamela/model_builder.h"
#include "pamela/syntax/diagnostic_list.h"
#include "pamela/syntax/syntax.h"

namespace parcast::pamela {

class TermLowering {
public:
    // The value of an equation for these arguments, as many as it has formal parameters.
    using Call =
        std::function<Value(std::size_t equation, std::vector<Value> arguments, TextRange called_at)>;

    // A formal parameter or an index, while its body is lowered.
    struct Binding {
        std::string_view name;
        Value value;
        bool is_used = false;
    };

    // All but the call are loans until the lowering goes.
    TermLowering(Syntax const& syntax, Names const& names, ReadFile const& read_file, Call call,
                 ModelBuilder& builder, DiagnosticList& diagnostics);

    // The value of an equation's right side, with its formal parameters.
    Value right_side(SyntaxId body, std::vector<Binding> formals);

private:
    using Expression = symbolic::Expression;

    Value value(SyntaxId id);
    Value value_of_kind(SyntaxId id);
    std::optional<Operand> numeric(SyntaxId id);
    std::optional<std::vector<Operand>> numerics(std::span<SyntaxId const> ids);
    std::optional<ProcessId> process(SyntaxId id);
    void complain_of_type(SyntaxId id, Value const& value, std::string const& wanted);

    Value name_or_call(SyntaxId id);
    Value equation_call(SyntaxNode const& node, std::size_t equation);
    Value builtin_call(SyntaxNode const& node, Builtin builtin);
    std::optional<ResourceId> fcfs(SyntaxNode const& node);
    std::optional<ProcessId> delay(SyntaxNode const& node);
    std::optional<ProcessId> use(SyntaxNode const& node);
    std::optional<Expression> time(SyntaxId id);

    std::optional<Expression> numeric_operator(SyntaxNode const& node);
    std::optional<Expression> sum(SyntaxNode const& node);
    std::optional<ProcessId> composition(SyntaxNode const& node);
    Value loop(SyntaxNode const& node);
    Value choice(SyntaxNode const& node);
    Value choice(SyntaxNode const& node, Condition const& condition, Value const& then,
                 std::optional<Value> const& otherwise);

    Syntax const& syntax_;
    Names const& names_;
    ReadFile const& read_file_;
    Call call_;
    ModelBuilder& builder_;
    DiagnosticList& diagnostics_;
    NumericRules numbers_;
    ProcessRules processes_;
    LoopRules loops_;
    std::vector<Binding> scope_;
    std::uint32_t depth_ = 0;
};

}  // namespace parcast::pamela
