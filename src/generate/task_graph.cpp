#include "generate/task_graph.h"

#include <algorithm>
#include <string>

#include "generate/structures.h"

namespace parcast::generate {

namespace {

TaskGraph of(Structure structure, std::uint32_t size, Random random) {
    switch (structure) {
        case Structure::mp3d: return mp3d(size, random);
        case Structure::psim: return psim(size, random);
        case Structure::locusroute: return locusroute(size, random);
        case Structure::polyroots: return polyroots(size, random);
        case Structure::dynprog: break;
    }
    return dynprog(size, random);
}

}  // namespace

std::optional<StructureName> structure_named(std::string_view name) {
    auto const found = std::ranges::find(structures, name, &StructureName::name);
    return found == structures.end() ? std::nullopt : std::optional(*found);
}

Result<TaskGraph> task_graph(Structure structure, std::uint32_t size, std::uint64_t seed) {
    auto const& limits = *std::ranges::find(structures, structure, &StructureName::structure);
    if (size < limits.least_size || size > limits.most_size) {
        return fail(ErrorCode::out_of_range, std::string(limits.name) + ": the size, which is the " +
                                                 std::string(limits.size) + ", is from " +
                                                 std::to_string(limits.least_size) + " to " +
                                                 std::to_string(limits.most_size));
    }
    return of(structure, size, Random(seed));
}

}  // namespace parcast::generate
