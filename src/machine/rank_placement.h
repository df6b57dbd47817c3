// On which node each rank of a message program is.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"

namespace parcast {

// What was asked for. Without nodes, CPUs and a file each rank has a node of its own.
struct RankPlacement {
    enum class Order : std::uint8_t {
        packed,       // neighbouring ranks share a node
        round_robin,  // rank i is on node i mod nodes
    };

    Order order = Order::packed;
    std::uint32_t nodes = 0;         // 0: as many as the ranks fill
    std::uint32_t cpus_of_node = 0;  // 0: as many as its ranks have
    std::string file = {};           // that `text` was read from; empty: none
    std::string text = {};           // a node for each rank

    bool is_asked() const { return nodes > 0 || cpus_of_node > 0 || !file.empty(); }
    friend bool operator==(RankPlacement const&, RankPlacement const&) = default;
};

struct RankNodes {
    std::vector<std::uint32_t> node_of_rank = {};  // empty: each rank has its own
    std::uint32_t nodes = 0;                       // 0: the same
    std::vector<std::string> names = {};           // of nodes; empty: they have numbers
};

// The text has the node of rank 0, 1, ... on a line each, as the file of a batch system's nodes has; or lines
// "rank 3=node1", as the rankfile of Open MPI, whose " slot=..." is ignored. Empty lines and what follows a #
// are ignored, too. Ranks may have several CPUs, by rank.
//
// Errors: unasked (ranks that do not fit onto the CPUs of their node, more nodes than ranks), malformed and
// inconsistent with file and line.
Result<RankNodes> placed_ranks(RankPlacement const& placement,
                               std::vector<std::uint32_t> const& cpus_of_rank);

}  // namespace parcast
