// A program of threads as a workload of rt-app (github.com/scheduler-tools/rt-app), which runs on a kernel:
// what is done there with which parts of its JSON is in docs/formats/rt-app.md.

#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/result.h"
#include "program/thread_program.h"

namespace parcast {

struct RtAppWorkload {
    std::string text;                // JSON
    std::size_t tasks = 0;           // a thread each
    std::size_t events = 0;          // as written: those of a loop once
    std::vector<std::string> notes;  // what rt-app does otherwise than the program, in sentences for the user
};

// The times that a thread runs add up to its work, to 1 us; so do its sleeps. REQUIRES: check(program).
// Errors: unsupported: an unlock by a thread that does not hold the lock; a barrier at which other numbers of
// threads meet than it waits for. Cost: time O(operations), memory 16 bytes an operation.
Result<RtAppWorkload> to_rt_app(ThreadProgram const& program);

}  // namespace parcast
