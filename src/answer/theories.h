// Other theories beside a prediction of the deterministic model: `parcast predict GRAPH --compare`.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"

namespace parcast {

struct ComparedTime {
    double mean_ns = 0;
    std::optional<double> deviation_ns;  // of a theory that has one
};

// One theory on one number of CPUs.
struct TheoryTime {
    std::string_view key;       // "markov_chain"
    std::string_view title;     // "Markov chain": fits a column
    std::string_view assumes;   // a sentence
    Result<ComparedTime> time;  // or why the theory does not apply
};

// What the speed-up lies between, by the parallelism of the graph. None: what it assumes does not hold.
struct GraphBounds {
    std::optional<double> lower;          // of schedules in which no CPU idles while a task is ready
    std::optional<double> upper;          // of all
    std::optional<double> estimate;       // from the profile of parallelism, of the same schedules: no bound
    std::optional<double> sharing_lower;  // of processor sharing,
    std::optional<double> sharing_exact;  // and its speed-up
};

struct TheoriesAt {
    std::uint32_t cpus = 1;
    std::optional<double> deterministic_ns;  // of the policy that they are compared with
    GraphBounds bounds;
    std::vector<TheoryTime> theories;  // the same ones for all numbers of CPUs
};

struct Theories {
    double work_ns = 0;
    double span_ns = 0;
    double average_parallelism = 1;
    std::uint32_t most_parallelism = 1;
    std::string policy;              // of deterministic_ns
    std::string why_not_all_bounds;  // a sentence; empty: they all hold
    std::vector<TheoriesAt> counts;
};

}  // namespace parcast
