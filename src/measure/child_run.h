// Runs a program unrecorded on given processors and tells how long it took: from just before its start until
// its end was noticed by a blocking wait, with what the system charged to it and to the children it waited
// for. A signal that ends this process meanwhile ends the program with all that descends from it first.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/result.h"
#include "core/time.h"

namespace parcast::measure {

struct ChildRequest {
    std::string program;               // a path
    std::vector<std::string> command;  // argv
    std::vector<unsigned> cpus;        // its affinity from the start, so that libraries see it
    int input = 0;                     // descriptors that become its standard streams
    int output = 1;
    int error = 2;
    // Then it is ended, with all processes that descend from it: SIGTERM, and SIGKILL after the grace.
    // Absent: no limit.
    std::optional<Duration> time_limit = std::nullopt;
    std::string time_limit_name = "its time limit";  // whose it is, for who reads that it was reached
    Duration grace{2'000'000'000};
    // For its threads; absent: the usual. See time_slice.h for who grants it.
    std::optional<Duration> time_slice = std::nullopt;
    std::vector<std::string> environment = {};  // "NAME=value"; empty: that of this process
    int usual_exit_status = 0;                  // with another one it failed
    bool keeps_cpus = false;                    // it cannot choose others (kept_cpus.h)
};

struct ChildRun {
    Duration wall;
    Duration user;
    Duration system;
    std::int64_t waits = 0;          // voluntary context switches
    std::int64_t preemptions = 0;    // involuntary ones
    std::int64_t page_faults = 0;    // minor ones
    std::optional<int> exit_status;  // exactly one of the two
    std::optional<int> death_signal;
    bool exceeded_time_limit = false;

    Duration processor_time() const { return user + system; }
    bool succeeded(int usual_exit_status = 0) const {
        return exit_status == usual_exit_status && !exceeded_time_limit;
    }
};

// Errors: not_found, not_permitted, exhausted: it could not be started; the message says at which step.
Result<ChildRun> run_child(ChildRequest const& request);

}  // namespace parcast::measure
