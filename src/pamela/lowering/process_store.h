// The processes of a model as they are made, and how large each is as a tree.

#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "program/process_model.h"

namespace parcast::pamela {

class ProcessStore {
public:
    // A loan until the store goes.
    explicit ProcessStore(std::vector<Process>& processes) : processes_(processes) {}

    // `size` of its own expressions. REQUIRES: the parts are in the store.
    ProcessId add(Process process, std::vector<ProcessId> const& parts, std::uint64_t size);
    ProcessId nothing();

    std::uint64_t size(ProcessId process) const { return sizes_[process.value]; }  // as much as fits
    std::uint32_t depth(ProcessId process) const { return depths_[process.value]; }

private:
    std::vector<Process>& processes_;
    std::vector<std::uint64_t> sizes_;
    std::vector<std::uint32_t> depths_;
    std::optional<ProcessId> nothing_;
};

}  // namespace parcast::pamela
