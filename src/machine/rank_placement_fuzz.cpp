// Any text as a file of the nodes of eight ranks: no crash, every error has its file, and what is accepted
// has a node for each rank.

#include <algorithm>
#include <cstdint>
#include <string>

#include "core/ensure.h"
#include "machine/rank_placement.h"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    using namespace parcast;
    RankPlacement placement;
    placement.file = "nodes";
    placement.text = std::string(reinterpret_cast<char const*>(data), size);
    std::vector<std::uint32_t> const one_cpu_each(8, 1);
    auto const nodes = placed_ranks(placement, one_cpu_each);
    if (!nodes) {
        ensure(nodes.error().place && nodes.error().place->file == "nodes", "an error has its place");
        return 0;
    }
    ensure(nodes->node_of_rank.size() == one_cpu_each.size(), "each rank has a node");
    ensure(nodes->names.size() == nodes->nodes, "each node has a name");
    ensure(std::ranges::max(nodes->node_of_rank) + 1 == nodes->nodes, "nodes are numbered without gaps");
    return 0;
}
