// What the functions of a recorded program took (answer/profile.h), from the shares of its work.

#pragma once

#include <cstdint>
#include <vector>

#include "answer/profile.h"
#include "timeline/timeline.h"

namespace parcast::analysis {

// Memory: O(call stacks).
class FunctionProfiler {
public:
    void add(WorkShare const& share);
    // Those with a time or a call, most time of their own first.
    std::vector<FunctionProfile> finish(Catalogue const& catalogue, Provenance const& provenance) const;

private:
    struct OfStack {
        double ns = 0;
        double shares = 0;
        std::int64_t calls = 0;
        std::int64_t deeper_calls = 0;
    };
    std::vector<OfStack> stacks_;
};

}  // namespace parcast::analysis
