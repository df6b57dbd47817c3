// A series-parallel task graph with what repeats itself taken together (recorded_model.h, 1 to 4): what the
// text of a model is written from.

#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "program/series_parallel.h"
#include "program/task_graph.h"

namespace parcast::extract {

struct MeanLockUse {
    std::uint32_t lock = 0;  // from 0
    double visits = 0;       // of a segment, in the mean
    double held_ns = 0;      // by all visits of a segment together, in the mean
};

struct Segments {
    enum class Kind : std::uint8_t { work, series, parallel, series_loop, parallel_loop };
    Kind kind = Kind::work;
    std::size_t count = 1;        // of a loop
    std::vector<Segments> parts;  // of a loop: its body
    // For work: the CPU times of all segments that it stands for, those of each round of the sequences around
    // it apart.
    std::vector<std::vector<double>> rounds_ns;
    std::vector<MeanLockUse> locks;  // of work, by lock
};

std::vector<double> all_times_ns(Segments const& work);

struct Folded {
    Segments root;
    std::size_t short_parts = 0;  // of sequences, that are one delay at their ends
};

// REQUIRES: the graph passes its check, and the structure is of it and not empty.
Folded folded(TaskGraph const& graph, SeriesParallel const& structure);

}  // namespace parcast::extract
