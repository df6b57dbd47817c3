// Task graphs with the structure of the five programs that Adve (1993, section 5.1.1, figure 5.1) measured on
// a Sequent Symmetry: numbers of tasks and total times as far as he gives them; what he does not give is made
// up and said in the assumptions. Times vary as his do; equal seeds give equal graphs.

#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "core/result.h"
#include "program/task_graph.h"

namespace parcast::generate {

enum class Structure : std::uint8_t { mp3d, psim, locusroute, polyroots, dynprog };

struct StructureName {
    std::string_view name;
    Structure structure;
    std::uint32_t usual_size;  // the smaller input of the thesis
    std::uint32_t least_size;
    std::uint32_t
        most_size;          // so that there are at most some ten million tasks, each of which a file can say
    std::string_view size;  // what it counts
    std::string_view meaning;
};

inline constexpr std::array structures = {
    StructureName{"mp3d", Structure::mp3d, 5000, 8, 50'000'000, "particles",
                  "iterative fork-join: five loops an iteration, one with over 90 % of the work"},
    StructureName{"psim", Structure::psim, 1024, 2, 1'000'000, "nodes of the simulated network",
                  "two phases of six loops with very different times; processors are split between loops"},
    StructureName{"locusroute", Structure::locusroute, 420, 1, 5'000'000, "wires",
                  "two dynamic phases with skewed tasks, and a queue for each of 16 regions"},
    StructureName{"polyroots", Structure::polyroots, 20, 4, 50'000, "degree of the polynomial",
                  "an irregular graph that is not series-parallel, and a last loop of large tasks"},
    StructureName{"dynprog", Structure::dynprog, 100, 1, 8'000, "length of the sequences",
                  "a pipelined wavefront, its rows pinned to processes"},
};

std::optional<StructureName> structure_named(std::string_view name);

// Passes check(). Errors: out_of_range (a size).
Result<TaskGraph> task_graph(Structure structure, std::uint32_t size, std::uint64_t seed = 1);

}  // namespace parcast::generate
