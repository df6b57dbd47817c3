// The work of one owner takes another time for a while: what a change would bring, without a second copy of a
// program of a hundred million operations. Memory: 4 bytes an operation, and a copy of the shares.

#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/work_share.h"
#include "program/thread_program.h"

namespace parcast {

// The owner's work takes `factor` times as long. REQUIRES: owner < WorkOwners(program).count().
void scale_work(ThreadProgram& program, std::size_t owner, double factor);

class ScaledWork {
public:
    // The program is the caller's. It is as it was when this ends; meanwhile nobody else may read it.
    // REQUIRES: that of scale_work.
    ScaledWork(ThreadProgram& program, std::size_t owner, double factor);
    ~ScaledWork();
    ScaledWork(ScaledWork const&) = delete;
    ScaledWork& operator=(ScaledWork const&) = delete;

private:
    ThreadProgram& program_;
    std::vector<std::uint32_t> work_ns_;  // of all operations, list by list; or is_long, and
    std::vector<std::int64_t> long_ns_;   // the next one of these
    std::vector<std::vector<WorkShare>> shares_;
};

}  // namespace parcast
