// Things of two programs that are the same, by name and by place.

#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "answer/difference.h"

namespace parcast::analysis {

struct Alignable {
    std::string identity;       // the same on both sides: one thing
    std::string neighbourhood;  // where else it may have gone to: its function or its file; empty: nowhere
    std::string file;           // whose change is a move; empty: unknown
    double weight = 0;          // things whose weights differ by more than a factor of two are not the same
    NamedThing thing;
};

struct AlignedPair {
    std::optional<std::size_t> first;
    std::optional<std::size_t> second;
    AlignedThing thing;
};

// First of equal identity. What is left over is taken for one thing, renamed or moved, if it is alone in its
// neighbourhood on both sides, and weighs about the same. REQUIRES: no identity twice on a side.
std::vector<AlignedPair> align(std::span<Alignable const> first, std::span<Alignable const> second);

}  // namespace parcast::analysis
