// What the steps of an expression's tape do. Private to expression_tape*.cpp.

#pragma once

#include <optional>
#include <string>

#include "symbolic/tape/expression_tape.h"

namespace parcast::symbolic {

// Operands in the order first, second, third of a step. "count" and "factor" are numbers.
enum class ExpressionTape::Action : std::uint8_t {
    number_operation,  // of the step's kind
    number_of_time,    // of a time that is not random
    time_of_number,
    time_of_moments,  // four numbers, one after the other
    time_add,
    time_repeat,  // (count as a time, time)
    time_scale,   // (factor, time)
    time_maximum,
    time_maximum_of,  // (count, time)
    time_branch,      // (condition, then, otherwise)
    time_element,     // (vector, number)
    time_largest,     // (vector)
    vector_clear,
    vector_put,         // (index, time): one more component of the result
    vector_add,         // (vector): to the result
    vector_repeat,      // (count as a time, vector)
    vector_scale,       // (factor, vector)
    vector_times,       // (time, vector): the product of a scalar and a vector
    vector_maximum,     // (vector, vector)
    vector_maximum_of,  // (count, vector)
    vector_branch,      // (condition, vector, vector)
    copy_number,
    copy_time,
    copy_vector,
    jump,            // to the step `second`
    jump_unless,     // (number): to the step `second`
    sum_of_numbers,  // loops: `second` is the loop
    sum_of_times,
    sum_of_vectors,
    maximum_of_numbers,
    maximum_of_times,
    maximum_of_vectors,
};

// For an operation on one or two numbers (with one, the second is 0).
double applied(ExpressionKind kind, double left, double right);

// A tape's registers during an evaluation.
struct ExpressionTape::Run {
    std::span<double> numbers;
    std::span<Moments> times;
    std::span<SparseVector<MomentTimes>> vectors;
    double turns = 0;
    std::uint64_t unlike = 0;  // random times of maxima, of all loops together
    bool is_watched = false;   // stops at the first value that is not finite
    bool is_counting = false;  // takes no maximum of times, only counts the unlike ones
    struct Failure {
        Expression origin;
        std::string what;
    };
    std::optional<Failure> failure = std::nullopt;

    void execute(ExpressionTape const& tape, std::size_t begin, std::size_t end);

private:
    void perform(ExpressionTape const& tape, Step const& step);
    bool is_skipped(Step const& step);
    void perform_on_vectors(Step const& step);
    void perform_loop(ExpressionTape const& tape, Step const& step, std::size_t body);
    template <class Turn>
    void each_turn(ExpressionTape const& tape, Step const& step, std::size_t body, Turn const& turn);
    std::optional<std::uint64_t> component_index(Step const& step, double number);
    void fail_at(Step const& step, std::string what);
    void check_condition(Step const& step, Moments const& condition);
    void watch(Step const& step);
};

}  // namespace parcast::symbolic
