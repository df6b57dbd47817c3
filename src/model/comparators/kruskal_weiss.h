// The mean time of N independent tasks of one distribution on P processors that take them in batches of K
// (Kruskal and Weiss 1985), phase by phase of a fork-join graph:
//
//     E[T] ~ (N/P) mu + N h / (P K) + sigma sqrt(2 K ln P)
//
// with h the cost of taking a batch; static scheduling is K = N/P. Asymptotic in N/P and in K: with few tasks
// for a processor it is some per cent high; it is low where the last batch is long and its times hardly vary.
// With fewer tasks than processors, only as many processors count; then N/P is 1 and K is 1. Batches of more
// than N/P tasks, for which the formula is not meant (some processors get none), count as N/P.

#pragma once

#include <cstdint>

#include "core/result.h"
#include "model/deterministic/contention.h"
#include "program/task_graph.h"

namespace parcast::model {

enum class Deviation : std::uint8_t {
    actual,       // sample deviation of the task times of a phase: as if they were random
    exponential,  // their mean
};

struct Batches {
    enum class Kind : std::uint8_t { fixed, even_share } kind = Kind::fixed;  // even share: static scheduling
    std::uint32_t size = 1;
    double overhead_ns = 0;  // of each
};

// Any unit of time. REQUIRES: tasks, processors and batch size >= 1.
double kruskal_weiss(double tasks, double processors, double mean, double deviation,
                     Batches const& batches = {});

// Mean time, ns. With contention, task times are longer by that of min(P, N) running tasks.
// REQUIRES: the graph passes its check, processors >= 1. Errors: unsupported (no phases), those of the law.
Result<double> kruskal_weiss(TaskGraph const& graph, std::uint32_t processors, Deviation deviation,
                             Batches const& batches = {}, ContentionLaw const* contention = nullptr);

}  // namespace parcast::model
