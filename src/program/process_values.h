// The values of a process model's expressions: parameters by position, indices of loops as a walk through the
// model binds them. What a walk over the processes with given parameters stands on.
//
// The first error is kept, and after it every value is 0: a walk looks at error() when it is done.

#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/moments.h"
#include "program/process_model.h"
#include "symbolic/tape/expression_tape.h"

namespace parcast {

// How often a loop goes round: last - first + 1, fractional as it may be; random if a bound is.
struct LoopTurns {
    double first = 0;  // value of the index in the first turn
    Moments count;
    bool random = false;
};

class ProcessValues {
public:
    // REQUIRES: a value for each of model.parameters, in their order. Keeps a reference to the model.
    ProcessValues(ProcessModel const& model, std::span<double const> parameters);

    double number(symbolic::Expression expression);  // REQUIRES: not random
    Moments moments(symbolic::Expression expression);
    LoopTurns turns(ProcessLoop const& loop);

    // REQUIRES: an index of a loop of the model.
    void bind(symbolic::IndexId index, double value);

    // Walks count their steps, so that models whose loops must be walked turn by turn end with an error.
    void count_step();

    void refuse(ErrorCode code, std::string message);
    bool failed() const { return error_.has_value(); }
    std::optional<Error> const& error() const { return error_; }

private:
    struct Entry {
        std::optional<symbolic::ExpressionTape> tape;
        std::optional<double> number;  // of an expression without indices: computed once
        std::optional<Moments> moments;
        bool varies = true;
    };
    Entry& entry(symbolic::Expression expression);

    ProcessModel const& model_;
    std::vector<std::string> parameters_;
    std::vector<symbolic::IndexId> indices_;
    std::map<std::uint32_t, std::size_t> places_;  // of the indices, in values_
    std::vector<double> values_;                   // of the parameters, then of the indices
    std::vector<Entry> entries_;
    std::vector<std::uint32_t> entry_of_;  // by expression; none: no_entry
    std::uint64_t steps_ = 0;
    std::optional<Error> error_;
};

inline constexpr std::uint64_t most_walk_steps = 20'000'000;

// Whether what the process does depends on the index, by process: columns for one index.
struct IndexUse {
    std::vector<bool> anywhere;      // in a time, a bound, a condition, a resource
    std::vector<bool> in_structure;  // anywhere but in times
};
IndexUse index_use(ProcessModel const& model, symbolic::IndexId index);

}  // namespace parcast
