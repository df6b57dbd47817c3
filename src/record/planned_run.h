// Runs a program with its threads bound and ranked by a plan.

#pragma once

#include <string>
#include <vector>

#include "record/launcher.h"
#include "record/thread_binder.h"

namespace parcast::record {

struct PlannedRun {
    std::string program;  // its path
    ProgramEnd end;
    std::vector<Notice> notices;  // of ThreadBinder
};

// `command`: the program as the shell would find it, and its arguments. `cpus`: of this machine, for the
// plan's CPUs 0, 1, ... and for all other threads; empty: all that this process may use. Errors: those of
// find_host_program, reason_not_to_preload, choose_cpus, ThreadBinder and run_to_end.
Result<PlannedRun> run_planned(ThreadPlan const& plan, std::vector<std::string> const& command,
                               std::vector<unsigned> const& cpus);

}  // namespace parcast::record
