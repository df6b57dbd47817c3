// From an expression to the steps of its tape.

#include "symbolic/tape/expression_tape_compiler.h"

namespace parcast::symbolic {

bool ExpressionTape::Compiler::compute_constants() {
    auto steps = std::exchange(tape_.steps_, std::move(constant_steps_));
    // Too many for a run: each evaluation says so.
    if (tape_.maxima_are_nested() && !tape_.count_unlike_times(std::vector<double>(tape_.given_))) {
        tape_.steps_ = std::move(steps);
        return false;
    }
    Run run{.numbers = tape_.numbers_, .times = tape_.times_, .vectors = tape_.vectors_};
    run.execute(tape_, 0, tape_.steps_.size());
    tape_.steps_ = std::move(steps);
    return !run.failure;
}

// Messages name what they come from; a tape of thousands of loops does without.
void ExpressionTape::Compiler::keep_text(Expression expression) {
    static constexpr std::size_t most_texts = 128;
    switch (pool_.kind(expression)) {
        case ExpressionKind::divide:
        case ExpressionKind::quotient:
        case ExpressionKind::remainder:
        case ExpressionKind::power:
        case ExpressionKind::logarithm:
        case ExpressionKind::logarithm_2:
        case ExpressionKind::square_root:
        case ExpressionKind::exponential:
        case ExpressionKind::sum_over:
        case ExpressionKind::maximum_over:
        case ExpressionKind::unit_vector:
        case ExpressionKind::element:
            if (tape_.origins_.size() < most_texts)
                tape_.origins_.push_back({expression, text_of(pool_, expression)});
            break;
        default: break;
    }
}

Result<ExpressionTape> ExpressionTape::compile(ExpressionPool const& pool, Expression expression,
                                               std::span<std::string const> parameters,
                                               std::span<IndexId const> indices) {
    Compiler compiler(pool, parameters, indices, Compiler::Constants::once);
    auto tape = compiler.compile(expression);
    if (!tape || compiler.has_computed_constants())
        return tape;
    return Compiler(pool, parameters, indices, Compiler::Constants::in_place).compile(expression);
}

}  // namespace parcast::symbolic
