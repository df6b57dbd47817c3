#include "pamela/lowering/process_rules.h"

#include <cstdint>
#include <string>

#include "pamela/syntax/number_text.h"

namespace parcast::pamela {

using symbolic::Expression;

std::optional<Expression> ProcessRules::time(Operand const& operand) {
    if (!numbers_.is_scalar(operand, "a time"))
        return std::nullopt;
    auto const mean = known_mean(operand.value);
    if (!mean || *mean >= 0)
        return operand.value;
    bool const is_number = builder_.expressions.constant(operand.value).has_value();
    diagnostics_.error(operand.node->extent, is_number ? "the time " + number_text(*mean) + " is negative"
                                                       : "the time has the mean " + number_text(*mean) +
                                                             ": a time is 0 or more, in the mean at least");
    return std::nullopt;
}

// The mean of a number, or of a random time that is a sum or a multiple of given moments; none for others.
std::optional<double> ProcessRules::known_mean(Expression expression) const {
    using symbolic::ExpressionKind;
    constexpr std::uint64_t most_nodes = 1000;  // equations of equations double with each
    auto const& pool = builder_.expressions.pool();
    if (builder_.expressions.size(expression) > most_nodes)
        return std::nullopt;
    if (auto const number = builder_.expressions.constant(expression))
        return number;
    auto const kind = pool.kind(expression);
    auto const operands = pool.operands(expression);
    if (kind == ExpressionKind::moments)
        return builder_.expressions.constant(operands[0]);
    bool const is_sum = kind == ExpressionKind::add;
    if (!is_sum && kind != ExpressionKind::scale && kind != ExpressionKind::repeat)
        return std::nullopt;
    double mean = is_sum ? 0 : 1;
    for (auto const operand : operands) {
        auto const known = known_mean(operand);
        if (!known)
            return std::nullopt;
        mean = is_sum ? mean + *known : mean * *known;
    }
    return mean;
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
