// All stochastic theories side by side, for one task graph on one number of processors: what each says, or
// why it says nothing.

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "model/deterministic/contention.h"
#include "program/task_graph.h"

namespace parcast::model {

struct ComparedTime {
    double mean_ns = 0;
    std::optional<double> deviation_ns;  // of a theory that has one
};

struct Comparison {
    std::string_view key;      // "kruskal_weiss_actual"
    std::string_view title;    // "K-W exponential": fits a column
    std::string_view assumes;  // a sentence
    Result<ComparedTime> time;
};

// By number of processors, and the theories in one order. REQUIRES: the graph passes its check, processors
// >= 1. Cost: that of the Markov chains, which are refused for more states than most_markov_states; a theory
// that does not see the processors is asked once.
std::vector<std::vector<Comparison>> compare(TaskGraph const& graph,
                                             std::span<std::uint32_t const> processors,
                                             ContentionLaw const* contention = nullptr);

}  // namespace parcast::model
