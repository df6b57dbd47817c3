// An expression compiled to a flat tape, to be evaluated many times: once per point of a sweep, once per turn
// of a simulated loop. Parameters and open indices are given by position; what does not depend on them is
// computed once.
//
// Every distinct expression has a register and is computed once. For random ones that is right too: what is
// kept are the moments, and equal expressions have equal moments, though they are independent draws. What
// does not depend on the index of a loop is computed before the loop; the chosen side of a condition alone is
// computed.
//
// A loop whose body does not depend on its index repeats it (a sum) or takes the maximum of as many of it,
// whatever the number of turns, which may have a fraction. Else each turn is evaluated.
//
// Cost: compile time linear in the distinct nodes; an evaluation a few ns per number, and what moments.h and
// maximum.h say per time.

#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/moments.h"
#include "core/result.h"
#include "symbolic/expression.h"
#include "symbolic/sparse_vector.h"

namespace parcast::symbolic {

class ExpressionTape {
public:
    static constexpr double most_turns = 1e7;  // of all loops of an evaluation together

    // `parameters` by name, then `indices` that the caller binds. Errors: not_found (a parameter that is not
    // among them), inconsistent (an index of no enclosing loop).
    static Result<ExpressionTape> compile(ExpressionPool const& pool, Expression expression,
                                          std::span<std::string const> parameters,
                                          std::span<IndexId const> indices = {});

    bool is_random() const { return is_random_; }
    bool is_vector() const { return result_.bank == Bank::vector; }

    // Values of the parameters, then of the indices. Errors: out_of_range (a value that is not finite, a
    // component with an index that is negative or has a fraction, more than most_turns, more than 100,000
    // unlike random times of maxima), with the expression it comes from.
    Result<double> number(std::span<double const> values) const;  // REQUIRES: !is_random(), !is_vector()
    Result<Moments> moments(
        std::span<double const> values) const;  // a number: deterministic. REQUIRES: !is_vector()
    Result<SparseVector<MomentTimes>> components(
        std::span<double const> values) const;  // REQUIRES: is_vector()

private:
    enum class Bank : std::uint8_t { number, time, vector };
    struct Register {
        Bank bank = Bank::number;
        std::uint32_t place = 0;
    };
    enum class Action : std::uint8_t;
    struct Step {
        Action action;
        ExpressionKind kind;       // of an operation on numbers
        std::uint32_t result = 0;  // places in the banks that the action says
        std::uint32_t first = 0;
        std::uint32_t second = 0;
        std::uint32_t third = 0;
        Expression origin;  // to say what an error comes from
    };
    struct Loop {
        std::uint32_t index = 0;  // its place among the numbers
        std::uint32_t first = 0;
        std::uint32_t last = 0;
        std::uint32_t body = 0;  // the body's result
        std::uint32_t end = 0;   // the step after the loop
    };
    struct Origin {
        Expression expression;
        std::string text;
    };
    struct Run;
    class Compiler;

    template <class Read>
    auto evaluated(std::span<double const> values, Read const& read) const
        -> decltype(read(std::declval<Run const&>()));
    std::string origin_text(Expression origin) const;
    Result<void> count_unlike_times(std::span<double const> values) const;
    bool maxima_are_nested() const;

    bool is_random_ = false;
    bool has_nested_maxima_ = false;
    Register result_;
    std::uint32_t given_ = 0;      // parameters and indices: the first numbers
    std::vector<double> numbers_;  // as they are before a run: constants are in place
    std::vector<Moments> times_;
    std::vector<SparseVector<MomentTimes>> vectors_;
    std::vector<Step> steps_;
    std::vector<Loop> loops_;
    std::vector<Origin> origins_;  // of steps that may fail
};

}  // namespace parcast::symbolic
