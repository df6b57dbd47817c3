// The laboratory that is this machine: runs variants of a command, each on CPUs of its own, and watches who
// else used the processors meanwhile.

#pragma once

#include <functional>
#include <string>
#include <vector>

#include "measure/child_run.h"
#include "measure/interleaved.h"

namespace parcast::measure {

class HostLaboratory : public Laboratory {
public:
    // Called before each run, outside its time: what has to be put in order, and what is to be said.
    using BeforeRun = std::function<Result<void>(std::size_t variant)>;

    // `cpus`: those that are watched. Keeps its own copies.
    HostLaboratory(std::vector<unsigned> cpus, std::vector<ChildRequest> variants, BeforeRun before_run);

    double rest(Duration pause) override;

    // Errors: those of `before_run` and run_child, and a run that failed or exceeded its time limit:
    // inconsistent.
    Result<ObservedRun> run(std::size_t variant) override;

private:
    std::vector<unsigned> cpus_;
    std::vector<ChildRequest> variants_;
    BeforeRun before_run_;
};

// "ended with status 2", "was killed by signal 9 (Killed)", "was ended after 60.0 s, its time limit".
std::string end_of(ChildRun const& run, std::string const& time_limit_name);

}  // namespace parcast::measure
