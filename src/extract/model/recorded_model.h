// Which model text is a series-parallel task graph? What repeats itself becomes a loop over a number that has
// a name, and its segments one time with the moments of all:
//
//     numeric parameter P = 8              % parallel branches
//     numeric parameter N = 12             % repetitions
//     numeric t1 = moments(3.1, 0.02, ...) % 96 segments
//     process main = seq (i = 1, N) par (p = 1, P) delay(t1)
//
// 1. Tasks and compositions are alike if they have the same structure, take the same locks, and their times
// differ
//    by a factor of two at most, or by a two-hundredth of the critical path.
// 2. Alike branches of a parallel composition are one par. Three or more alike rounds of a sequence, one
// behind the
//    other, of up to 64 parts each, are one seq; of several ways to cut a sequence into rounds the one that
//    covers the most.
// 3. A time that stands for several segments has the mean of their CPU times, and the moments of how they
// differ from the
//    mean of their round: what differs from round to round adds up in any order, and only what differs within
//    one is waited for. A time that stands for one segment is a number.
//    Laws with these moments have next to no negative times (nonnegative_law.h).
// 4. Three or more parts of a sequence that take less than a ten-thousandth of the critical path each,
// together at most
//    a hundredth, are one delay at its end: so the critical path is kept.
// 5. Locks are resources with one place each. A task takes a lock as often as it did in the mean, rounded to
// one or more
//    times, together as long as it held it. What else it does is one random time before that; but what all
//    draws of it have is spread evenly between.
// 6. Other resources of the graph are left out.
// 7. Without a number of CPUs each branch has one. With it, what is no lock's time is a use of the resource
// "cpu", first come, first served; a parameter says how many there are.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "program/series_parallel.h"
#include "program/task_graph.h"

namespace parcast::extract {

struct RecordedModel {
    struct Parameter {
        std::string name;
        std::size_t value = 0;
    };
    std::string text;
    std::vector<Parameter> parameters;
    std::string unit;  // of its times: "ms"
    double unit_ns = 1;
    std::size_t times = 0;              // that stand for several segments
    std::vector<std::string> left_out;  // resources
};

// `cpus`: of rule 7. `lines` stand in a comment at the top. REQUIRES: the graph passes its check, and the
// structure is of it. Cost: O(tasks * log(tasks)), and 64 comparisons for each part of a sequence.
RecordedModel model_of(TaskGraph const& graph, SeriesParallel const& structure,
                       std::vector<std::string> const& lines,
                       std::optional<std::uint32_t> cpus = std::nullopt);

}  // namespace parcast::extract
