// Which threads of a program does a plan name?

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/result.h"
#include "machine/thread_plan.h"
#include "program/thread_program.h"

namespace parcast::forecast {

// By thread, the way of creations from the first one on: "0.2.0". Empty: it is there from the start, and is
// not the first.
std::vector<std::string> creation_paths(ThreadProgram const& program);

// By thread. Errors: unasked, with the entry's place: it names no thread (with the nearest), or one that
// another entry plans, too.
Result<std::vector<PlannedThread>> planned_threads(ThreadPlan const& plan, ThreadProgram const& program);

// Binds and ranks the threads of the program; what it says itself about them is void. `cpus`: that it is
// replayed on; on one CPU no thread is bound. Errors: those above; unasked (a CPU that is not there).
Result<void> apply_plan(ThreadPlan const& plan, std::string const& file,
                        std::vector<std::uint32_t> const& cpus, ThreadProgram& program);

// A plan that has each thread on its CPU, by its path where it has one; and the priorities of the program.
// REQUIRES: a CPU for each thread.
ThreadPlan plan_of_binding(ThreadProgram const& program, std::vector<std::uint32_t> const& cpu_of_thread,
                           bool with_priorities);

}  // namespace parcast::forecast
