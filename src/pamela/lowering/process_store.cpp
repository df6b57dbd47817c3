#include "pamela/lowering/process_store.h"

#include <algorithm>
#include <utility>

#include "pamela/lowering/expression_builder.h"

namespace parcast::pamela {

ProcessId ProcessStore::add(Process process, std::vector<ProcessId> const& parts, std::uint64_t size) {
    std::uint32_t depth = 1;
    size = saturating_sum(size, 1);
    for (auto const part : parts) {
        size = saturating_sum(size, sizes_[part.value]);
        depth = std::max(depth, depths_[part.value] + 1);
    }
    processes_.push_back(std::move(process));
    sizes_.push_back(size);
    depths_.push_back(depth);
    return {static_cast<std::uint32_t>(processes_.size() - 1)};
}

ProcessId ProcessStore::nothing() {
    if (!nothing_)
        nothing_ = add(Sequence{}, {}, 0);
    return *nothing_;
}

}  // namespace parcast::pamela
