#include "symbolic/notation/notation.h"

#include <algorithm>
#include <string>
#include <vector>

#include "symbolic/notation/index_names.h"

namespace parcast::symbolic {

std::string_view python_definitions() {
    return R"(import math
from collections import namedtuple

Moments = namedtuple("Moments", "mean variance skewness kurtosis")


def moments(mean, variance, skewness, kurtosis):
    return Moments(mean, variance, skewness, kurtosis) if variance > 0 else mean


def _cumulants(time):
    if not isinstance(time, Moments):
        return (time, 0, 0, 0)
    return (time.mean, time.variance, time.skewness * time.variance**1.5, (time.kurtosis - 3) * time.variance**2)


def _time(first, second, third, fourth):
    return moments(first, second, third / second**1.5, 3 + fourth / second**2) if second > 0 else first


def add(*times):
    if any(isinstance(time, dict) for time in times):
        return {index: add(*(time.get(index, 0) for time in times if time)) for time in times if time for index in time}
    return _time(*map(sum, zip(*map(_cumulants, times))))


def repeat(count, time):  # the sum of `count` independent ones; the count may be random
    if isinstance(time, dict):
        return {index: repeat(count, value) for index, value in time.items()}
    n1, n2, n3, n4 = _cumulants(count)
    if n1 <= 0:
        return 0
    x1, x2, x3, x4 = _cumulants(time)
    return _time(n1 * x1, n1 * x2 + n2 * x1**2, n1 * x3 + 3 * n2 * x1 * x2 + n3 * x1**3,
                 n1 * x4 + n2 * (4 * x1 * x3 + 3 * x2**2) + 6 * n3 * x1**2 * x2 + n4 * x1**4)


def scale(factor, time):  # one, scaled
    if isinstance(time, dict):
        return {index: scale(factor, value) for index, value in time.items()}
    k1, k2, k3, k4 = _cumulants(time)
    return _time(factor * k1, factor**2 * k2, factor**3 * k3, factor**4 * k4)


def times(scalar, vector):
    random = isinstance(scalar, Moments)
    return {index: repeat(value, scalar) if random else repeat(scalar, value) if isinstance(value, Moments) else scalar * value
            for index, value in vector.items()}


def branch(condition, then, otherwise):  # by the cumulants of the condition; a number is a probability
    if isinstance(then, dict) or isinstance(otherwise, dict):
        both = dict.fromkeys([*(then or {}), *(otherwise or {})])
        return {index: branch(condition, (then or {}).get(index, 0), (otherwise or {}).get(index, 0)) for index in both}
    p = condition
    if not isinstance(p, Moments):
        p = moments(p, p * (1 - p), (1 - 2 * p) / math.sqrt(p * (1 - p)), 3 + (1 - 6 * p * (1 - p)) / (p * (1 - p))) if 0 < p < 1 else p
    p1, p2, p3, p4 = _cumulants(p)
    b1, b2, b3, b4 = _cumulants(otherwise)
    d1, d2, d3, d4 = (a - b for a, b in zip(_cumulants(then), (b1, b2, b3, b4)))
    return _time(b1 + p1 * d1, b2 + p1 * d2 + p2 * d1**2, b3 + p1 * d3 + 3 * p2 * d1 * d2 + p3 * d1**3,
                 b4 + p1 * d4 + p2 * (4 * d1 * d3 + 3 * d2**2) + 6 * p3 * d1**2 * d2 + p4 * d1**4)


def maximum(*values):
    if any(isinstance(value, dict) for value in values):
        return {index: maximum(*((value or {}).get(index, 0) for value in values)) for value in values for index in value or {}}
    greatest = max(values, key=lambda value: _cumulants(value)[0])
    for value in values:
        apart = _cumulants(greatest)[0] - _cumulants(value)[0]
        spread = math.sqrt(_cumulants(greatest)[1] + _cumulants(value)[1])
        if value is not greatest and spread > 0 and apart <= 8 * spread:
            raise NotImplementedError("a maximum of random times: `parcast predict` computes it")
    return greatest


def largest(vector):
    return maximum(*vector.values()) if vector else 0


def _indices(first, last):
    return [first + turn for turn in range(max(0, math.floor(last - first + 1e-9) + 1))]


def sum_over(first, last, body):
    return add(0, *(body(index) for index in _indices(first, last))) if not isinstance(body(first), dict) else \
        add({}, *(body(index) for index in _indices(first, last)))


def maximum_over(first, last, body):
    indices = _indices(first, last)
    if len(indices) > 1 and any(isinstance(body(index), Moments) for index in indices):
        raise NotImplementedError("a maximum of random times: `parcast predict` computes it")
    return max((body(index) for index in indices), key=lambda value: _cumulants(value)[0], default=0)


def unitvec(index):
    return {round(index): 1}
)";
}

namespace {

struct Operator {
    ExpressionKind kind;
    std::string_view text;
};

constexpr Operator operators[] = {
    {ExpressionKind::divide, " / "},        {ExpressionKind::quotient, " // "},
    {ExpressionKind::remainder, " % "},     {ExpressionKind::power, " ** "},
    {ExpressionKind::less, " < "},          {ExpressionKind::less_or_equal, " <= "},
    {ExpressionKind::greater, " > "},       {ExpressionKind::greater_or_equal, " >= "},
    {ExpressionKind::equal, " == "},        {ExpressionKind::not_equal, " != "},
    {ExpressionKind::conjunction, " and "}, {ExpressionKind::disjunction, " or "},
};

struct Function {
    ExpressionKind kind;
    std::string_view name;
};

constexpr Function functions[] = {
    {ExpressionKind::moments, "moments"},       {ExpressionKind::repeat, "repeat"},
    {ExpressionKind::scale, "scale"},           {ExpressionKind::maximum, "maximum"},
    {ExpressionKind::minimum, "min"},           {ExpressionKind::ceiling, "math.ceil"},
    {ExpressionKind::floor, "math.floor"},      {ExpressionKind::absolute, "abs"},
    {ExpressionKind::logarithm_2, "math.log2"}, {ExpressionKind::logarithm, "math.log"},
    {ExpressionKind::exponential, "math.exp"},  {ExpressionKind::square_root, "math.sqrt"},
    {ExpressionKind::branch, "branch"},         {ExpressionKind::unit_vector, "unitvec"},
    {ExpressionKind::largest, "largest"},
};

class Printer {
public:
    explicit Printer(ExpressionPool const& pool) : pool_(pool), names_(pool) {}

    std::string of(Expression expression) {
        auto const given = pool_.operands(expression);
        std::vector<Expression> const operands(given.begin(), given.end());
        auto const kind = pool_.kind(expression);
        bool const is_plain = !pool_.is_random(expression) && !pool_.is_vector(expression);
        switch (kind) {
            case ExpressionKind::number: return number_notation(pool_.value(expression), Digits::all);
            case ExpressionKind::parameter: return pool_.name(expression);
            case ExpressionKind::index: return names_.of(pool_.bound_index(expression));
            case ExpressionKind::add:
                return is_plain ? "(" + joined(operands, " + ") + ")" : call("add", operands);
            case ExpressionKind::negate:
                return is_plain ? "(-" + of(operands[0]) + ")" : "scale(-1, " + of(operands[0]) + ")";
            case ExpressionKind::multiply:
                return is_plain ? "(" + joined(operands, " * ") + ")" : product(operands);
            case ExpressionKind::complement: return "(not " + of(operands[0]) + ")";
            case ExpressionKind::round: return "math.floor(abs(" + of(operands[0]) + ") + 0.5)";
            case ExpressionKind::choose:
                return "(" + of(operands[1]) + " if " + of(operands[0]) + " else " + of(operands[2]) + ")";
            case ExpressionKind::element: return of(operands[0]) + ".get(" + of(operands[1]) + ", 0)";
            case ExpressionKind::vector:
                return "{index: value for index, value in enumerate([" + joined(operands, ", ") + "])}";
            case ExpressionKind::sum_over:
            case ExpressionKind::maximum_over: return loop(expression, operands);
            default: break;
        }
        if (auto const found = std::ranges::find(functions, kind, &Function::kind);
            found != std::end(functions))
            return call(std::string(found->name), operands);
        auto const& sign = *std::ranges::find(operators, kind, &Operator::kind);
        return "(" + joined(operands, sign.text) + ")";
    }

private:
    std::string joined(std::vector<Expression> const& operands, std::string_view separator) {
        std::string text;
        for (std::size_t place = 0; place < operands.size(); ++place)
            text += (place == 0 ? "" : std::string(separator)) + of(operands[place]);
        return text;
    }

    std::string call(std::string const& name, std::vector<Expression> const& operands) {
        return name + "(" + joined(operands, ", ") + ")";
    }

    std::string product(std::vector<Expression> const& operands) {
        auto const vector =
            std::ranges::find_if(operands, [&](Expression each) { return pool_.is_vector(each); });
        auto text = of(*vector);
        for (auto const scalar : operands)
            if (!pool_.is_vector(scalar))
                text = "times(" + of(scalar) + ", " + text + ")";
        return text;
    }

    // Turns that are alike at once, as in a tape: their number may have a fraction.
    std::string loop(Expression expression, std::vector<Expression> const& operands) {
        auto const first = of(operands[0]);
        auto const last = of(operands[1]);
        bool const is_sum = pool_.kind(expression) == ExpressionKind::sum_over;
        bool const is_alike = !pool_.depends_on(operands[2], pool_.bound_index(expression));
        if (is_sum && is_alike)
            return "repeat(" + last + " - (" + first + ") + 1, " + of(operands[2]) + ")";
        auto const name = names_.open(pool_.bound_index(expression));
        auto const body = of(operands[2]);
        names_.close();
        return std::string(is_sum ? "sum_over(" : "maximum_over(") + first + ", " + last + ", lambda " +
               name + ": " + body + ")";
    }

    ExpressionPool const& pool_;
    IndexNames names_;
};

}  // namespace

std::string python_of(ExpressionPool const& pool, Expression expression) {
    return Printer(pool).of(expression);
}

}  // namespace parcast::symbolic
