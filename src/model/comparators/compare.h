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
#include "model/deterministic/policy.h"
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

// How the graph is executed by the model that they are compared with. Of the policy, Kruskal-Weiss sees the
// batch and what taking one costs; static policies are batches of an even share.
struct Schedule {
    Policy policy = Fifo{};
    std::span<double const> fetch_ns;  // lent; Options::fetch_ns
    ContentionLaw const* contention = nullptr;
};

// By number of processors, and the theories in one order. REQUIRES: the graph passes its check, processors
// >= 1. Cost: that of the Markov chains, which are refused for more states than most_markov_states; a theory
// that does not see the processors is asked once, and the Markov chain not again on more processors than
// those on which it explored too many states.
std::vector<std::vector<Comparison>> compare(TaskGraph const& graph,
                                             std::span<std::uint32_t const> processors,
                                             Schedule const& schedule = {});

}  // namespace parcast::model
