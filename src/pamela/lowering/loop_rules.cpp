#include "pamela/lowering/loop_rules.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "pamela/syntax/number_text.h"

namespace parcast::pamela {

using symbolic::Expression;
using symbolic::ExpressionKind;

bool LoopRules::are_bounds(SyntaxNode const& loop, Operand const& first, Operand const& last) {
    if (builder_.expressions.is_random(last.value))
        return is_count(loop, first, last);
    bool const has_first = numbers_.is_number(first, "the first value of an index");
    return numbers_.is_number(last, "the last value of an index") && has_first;
}

bool LoopRules::is_count(SyntaxNode const& loop, Operand const& first, Operand const& last) {
    if (!numbers_.is_number(first, "the first value of an index") ||
        !numbers_.is_scalar(last, "the last value of an index"))
        return false;
    bool const repeats = loop.kind == SyntaxKind::sequential_loop || loop.kind == SyntaxKind::sum_loop;
    if (!repeats) {
        diagnostics_.error(last.node->extent, "the number of parallel branches is a number; this is random");
        return false;
    }
    if (builder_.expressions.constant(first.value) == 1.0)
        return true;
    diagnostics_.error(first.node->extent, "a loop whose last value is random begins with 1",
                       "its last value is then how often it is repeated");
    return false;
}

bool LoopRules::is_turns(SyntaxNode const& loop, Operand const& first, Operand const& last) {
    auto const& expressions = builder_.expressions;
    auto const from = expressions.value_in_text(first.value);
    auto const to = expressions.value_in_text(last.value);
    if (!from || !to)
        return true;
    double const turns = *to - *from + 1;
    if (turns <= -1)
        diagnostics_.warning(last.node->extent, "from " + number_text(*from) + " to " + number_text(*to) +
                                                    " this loop has no turns");
    bool const is_whole = std::abs(turns - std::round(turns)) <= 1e-9 * std::max(1.0, std::abs(turns));
    if (loop.kind != SyntaxKind::parallel_loop || is_whole)
        return true;
    auto const message = "these are " + number_text(turns) + " parallel branches, no whole number";
    auto const hint = "floor(x) and ceil(x) are the whole numbers next to x";
    bool const is_settled = expressions.constant(first.value) && expressions.constant(last.value);
    if (is_settled)
        diagnostics_.error(last.node->extent, message, hint);
    else
        diagnostics_.warning(last.node->extent, message, hint);
    return !is_settled;
}

Value LoopRules::loop(SyntaxNode const& node, LoopRange const& range, Value const& body) {
    auto const* process = std::get_if<ProcessId>(&body);
    if (process != nullptr && is_known_empty(range))
        return builder_.processes.nothing();
    if (builder_.expressions.is_random(range.last) && range.index_is_used) {
        diagnostics_.error(
            node.place, "'" + node.word + "' has no value in the body of a loop whose length is random",
            "such a loop repeats the same body; write seq (" + node.word + " = 1, n) with a number n");
        return Failed{};
    }
    if (process != nullptr)
        return process_loop(node.kind, range, *process);
    return numeric_loop(node.kind, range, std::get<Expression>(body));
}

bool LoopRules::is_known_empty(LoopRange const& range) const {
    auto const first = builder_.expressions.constant(range.first);
    auto const last = builder_.expressions.constant(range.last);
    return first && last && *last <= *first - 1;
}

ProcessId LoopRules::process_loop(SyntaxKind kind, LoopRange const& range, ProcessId body) {
    auto const& expressions = builder_.expressions;
    auto const size = saturating_sum(expressions.size(range.first), expressions.size(range.last));
    ProcessLoop const loop{kind == SyntaxKind::parallel_loop, range.index, range.first, range.last, body};
    return builder_.processes.add(loop, {body}, size);
}

Expression LoopRules::numeric_loop(SyntaxKind kind, LoopRange const& range, Expression body) {
    if (builder_.expressions.is_random(range.last))  // its index is not used
        return builder_.expressions.make(ExpressionKind::repeat, {range.last, body});
    auto const operation =
        kind == SyntaxKind::sum_loop ? ExpressionKind::sum_over : ExpressionKind::maximum_over;
    return builder_.expressions.loop(operation, range.index, range.first, range.last, body);
}

}  // namespace parcast::pamela
