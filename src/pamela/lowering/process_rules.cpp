#include "pamela/lowering/process_rules.h"

#include <string>

#include "pamela/syntax/number_text.h"

namespace parcast::pamela {

using symbolic::Expression;

std::optional<Expression> ProcessRules::time(Operand const& operand) {
    if (!numbers_.is_scalar(operand, "a time"))
        return std::nullopt;
    auto const known = builder_.expressions.constant(operand.value);
    if (!known || *known >= 0)
        return operand.value;
    diagnostics_.error(operand.node->extent, "the time " + number_text(*known) + " is negative");
    return std::nullopt;
}

ProcessId ProcessRules::delay(Expression time) {
    return builder_.processes.add(Delay{time}, {}, builder_.expressions.size(time));
}

ProcessId ProcessRules::use(ResourceId resource, Expression time) {
    if (resource == ResourceList::infinite_server)
        return delay(time);
    return builder_.processes.add(Use{builder_.resources[resource], time}, {},
                                  builder_.expressions.size(time));
}

ProcessId ProcessRules::composition(SyntaxKind kind, std::vector<ProcessId> const& parts) {
    if (kind == SyntaxKind::sequence)
        return builder_.processes.add(Sequence{parts}, parts, 0);
    return builder_.processes.add(Parallel{parts}, parts, 0);
}

std::optional<double> ProcessRules::known(Condition const& condition) const {
    return condition.is_stochastic ? std::nullopt : builder_.expressions.constant(condition.value);
}

ProcessId ProcessRules::choice(Condition const& condition, ProcessId then,
                               std::optional<ProcessId> otherwise) {
    auto const alternative = otherwise ? *otherwise : builder_.processes.nothing();
    if (auto const value = known(condition))
        return *value != 0 ? then : alternative;
    return builder_.processes.add(ProcessChoice{condition.value, condition.is_stochastic, then, alternative},
                                  {then, alternative}, builder_.expressions.size(condition.value));
}

std::optional<ResourceId> ProcessRules::fcfs(Operand const& index, Operand const& multiplicity) {
    bool const has_index = numbers_.is_index(index, "the index of a resource");
    if (!numbers_.is_number(multiplicity, "the multiplicity of a resource") || !has_index)
        return std::nullopt;
    auto const places = builder_.expressions.constant(multiplicity.value);
    if (!places || *places > 0)
        return builder_.resources.add(index.value, multiplicity.value);
    diagnostics_.error(multiplicity.node->extent,
                       "a resource has a multiplicity of 1 or more, not " + number_text(*places));
    return std::nullopt;
}

std::optional<ResourceId> ProcessRules::choice(SyntaxNode const& node, Condition const& condition,
                                               ResourceId then, std::optional<ResourceId> otherwise) {
    auto const value = known(condition);
    if (value && otherwise)
        return *value != 0 ? then : *otherwise;
    diagnostics_.error(node.place,
                       "which resource it is must be known without the values of parameters and indices",
                       "choose between two processes: if (c) use(a, t) else use(b, t)");
    return std::nullopt;
}

}  // namespace parcast::pamela
