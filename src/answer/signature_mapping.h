// The static analysis of a program that was written down: what a mapping of its tasks to threads says before
// any clock runs (Marinescu, Rice and Vavalis 1990, section 3.1).

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/moments.h"

namespace parcast {

struct MappedThreadRow {
    std::uint64_t tasks = 0;           // grouping factor
    double work_ns = 0;                // of W_C = M_D W_D
    double mean_ns = 0;                // (3.10)
    double deviation_ns = 0;           // (3.11)
    std::uint64_t events = 0;          // kappa
    std::optional<double> alpha_ns;    // work between two events; none: no work, or one event
    double data_bytes = 0;             // of its events
    std::optional<double> beta_bytes;  // of an event with data; none: there is none
};

// In full, if asked for.
struct MappingMatrices {
    std::vector<std::uint32_t> thread_of_task;           // the columns of M_D
    std::vector<std::vector<std::uint32_t>> subdomains;  // the rows of Q_B; empty: no data
    std::vector<std::vector<double>> covariance_ns2;     // (3.12)
};

struct MappingRow {
    std::vector<MappedThreadRow> threads;
    std::uint64_t tasks = 0;
    std::uint64_t events = 0;        // E
    double work_ns = 0;              // W
    std::optional<double> alpha_ns;  // work between two events
    double data_bytes = 0;
    std::optional<double> beta_bytes;          // of an event with data
    double task_mean_ns = 0;                   // mu_D
    double task_deviation_ns = 0;              // sigma_D
    double imbalance = 0;                      // Delta of the works as they are
    std::optional<double> expected_imbalance;  // of a law of the threads' work
    std::optional<MappingMatrices> matrices;
};

// E = g(P) over the rows.
struct MappingCharacteristic {
    std::string growth;
    std::string growth_sentence;
    std::string formula;
    std::optional<double> exponent;
    std::optional<ConfidenceInterval> exponent_95;
    bool few_counts = false;
    double relative_error = 0;  // of the counts
};

struct SignatureMapping {
    std::string file;
    std::string form;      // "task_graph"
    std::string schedule;  // "block"; "mapping.txt"; empty: ranks
    std::string law;       // "erlang:4"; empty: none was asked for
    double correlation = 0;
    bool is_random = false;        // works of tasks vary: a CV or a correlation was given, or normal works
    std::vector<MappingRow> rows;  // by number of threads
    std::optional<MappingCharacteristic> characteristic;  // none: fewer than three numbers of threads
    std::vector<std::string> notes;
};

}  // namespace parcast
