#include "symbolic/substitute.h"

#include <unordered_map>
#include <vector>

namespace parcast::symbolic {

namespace {

class Substitution {
public:
    Substitution(ExpressionPool& pool, Expression what, Expression replacement)
        : pool_(pool), what_(what), replacement_(replacement) {}

    Expression in(Expression expression) {
        if (expression == what_)
            return replacement_;
        if (!can_hold_it(expression))
            return expression;
        if (auto const known = done_.find(expression.id); known != done_.end())
            return known->second;
        auto const made = rebuilt(expression);
        done_.emplace(expression.id, made);
        return made;
    }

private:
    bool can_hold_it(Expression expression) const {
        if (pool_.kind(what_) == ExpressionKind::index)
            return pool_.depends_on(expression, pool_.bound_index(what_));
        return pool_.has_parameters(expression);
    }

    Expression rebuilt(Expression expression) {
        auto const kind = pool_.kind(expression);
        auto const given = pool_.operands(expression);
        std::vector<Expression> operands(given.begin(), given.end());
        bool const is_loop = kind == ExpressionKind::sum_over || kind == ExpressionKind::maximum_over;
        bool const hides_it = is_loop && pool_.kind(what_) == ExpressionKind::index &&
                              pool_.bound_index(expression) == pool_.bound_index(what_);
        for (std::size_t position = 0; position < operands.size(); ++position)
            if (!hides_it || position != 2)
                operands[position] = in(operands[position]);
        if (is_loop)
            return pool_.loop(kind, pool_.bound_index(expression), operands[0], operands[1], operands[2]);
        return operands.empty() ? expression : pool_.make(kind, operands);
    }

    ExpressionPool& pool_;
    Expression what_;
    Expression replacement_;
    std::unordered_map<std::uint32_t, Expression> done_;
};

}  // namespace

Expression substitute(ExpressionPool& pool, Expression expression, Expression what, Expression replacement) {
    return Substitution(pool, what, replacement).in(expression);
}

}  // namespace parcast::symbolic
