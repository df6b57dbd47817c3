// What the system says about itself, read once: the checks (checks.h) are functions of it.
//
// Sizes are in bytes, shares of CPU time from 0 to 1. What the system does not say is absent.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/result.h"
#include "core/time.h"
#include "timeline/provenance.h"

namespace parcast::host {

// A recording of /bin/true, to see what the recorder gets here.
struct TrialRecording {
    ClockMethod clock = ClockMethod::rseq;
    double event_cost_ns = 0;
};

struct BusyShares {
    double steal = 0;   // by the host of a virtual machine
    double others = 0;  // by other processes
};

struct ProgramFacts {
    std::string name;                          // as it was given
    Result<std::string> path = std::string();  // where it was found
    std::optional<Error> no_recording;         // why the recorder cannot be loaded into it
    std::string interpreter;                   // of a script
    bool has_debug_information = false;
    bool has_symbols = false;
    std::string debug_file;  // that a package brings: /usr/lib/debug/.build-id/...
    std::string build_id;
    std::vector<std::string> libraries;  // that it names itself
};

struct HostFacts {
    // Recording
    Result<std::string> recorder = std::string();
    Result<TrialRecording> trial = TrialRecording{};
    std::string forced_clock;       // PARCAST_RECORD_CLOCK
    std::string event_folder;       // where events are kept until the program ends, or why there is none
    std::uint64_t event_space = 0;  // that a process may take
    // Sampling
    std::optional<int> perf_level;  // kernel.perf_event_paranoid
    int perf_refusal = 0;           // errno; 0: it works
    std::string container;          // "docker"; empty: none is known
    // CPUs
    std::string processor;
    bool is_virtual = false;
    std::vector<unsigned> allowed;
    std::size_t online = 0;
    std::size_t siblings = 0;         // allowed CPUs that share a core with a lower one
    std::vector<unsigned> efficient;  // the slower kind of a hybrid processor
    std::optional<double> cpu_limit;  // of a control group, in CPUs
    std::string cpu_limit_file;
    std::vector<std::string> governors;  // of the allowed CPUs, each once
    std::optional<bool> boosts;
    std::optional<BusyShares> busy;
    std::string machine_file;  // that `calibrate` writes; empty: there is no place for it
    bool is_calibrated = false;
    // Names and pages
    std::string debuginfod_urls;
    bool is_static = false;  // this parcast can load no library (cmake/portable.cmake)
    bool has_debuginfod = false;
    std::string distribution;  // ID of os-release
    bool has_display = false;
    bool has_opener = false;  // xdg-open
    bool is_remote = false;   // ssh
    std::optional<ProgramFacts> program;
};

// `root` stands before /proc, /sys and /etc: "" but for tests.
HostFacts read_host_facts(std::string const& root, std::string machine_file);

// Runs /bin/true under the recorder.
Result<TrialRecording> trial_recording(std::string const& parcast_version);

// The shares of the allowed CPUs' time in which others ran, looked at for this long.
std::optional<BusyShares> watch_busy_cpus(std::string const& root, Duration time);

// As parcast record finds it.
ProgramFacts read_program_facts(std::string const& name);

}  // namespace parcast::host
