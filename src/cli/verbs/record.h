// parcast record [OPTIONS] -- PROGRAM ARGS...: run a program on one CPU and leave a trace of it.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/time.h"

namespace parcast::cli {

struct RecordArguments {
    std::vector<std::string> command;   // the program as the shell would find it, and its arguments
    std::optional<std::string> output;  // absent: NAME.PID.parcast in the working directory
    bool force = false;                 // replace an existing file
    std::optional<unsigned> pretend_cpus;
    std::optional<unsigned> cpu;  // absent: the highest one allowed
    std::optional<Duration> time_limit;
    std::optional<std::uint64_t> max_bytes;  // of raw recording, each process
    std::optional<unsigned> call_depth;      // of instrumented functions that are distinguished
    std::optional<Duration> sample;          // CPU time between two looks at which function runs
    bool memory_map = false;                 // record changes of the memory map, and page faults
    bool sense_memory = false;               // run the program again beside busy memory
    bool bare_run = false;                   // and without the recorder
    bool measure = false;                    // likewise, on one CPU and on
    std::optional<std::vector<std::uint32_t>> measure_cpus;  // these; absent: two
    unsigned repeat = 1;  // recordings, of which the least disturbed one is kept

    bool runs_again() const { return sense_memory || bare_run || measure || repeat > 1; }
    bool json = false;  // the report, on standard error

    friend bool operator==(RecordArguments const&, RecordArguments const&) = default;
};

}  // namespace parcast::cli
