// The machine that is asked about, and where its values come from.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "answer/answer.h"
#include "core/result.h"
#include "machine/machine.h"
#include "machine/schedulers.h"
#include "machine/team_waiting.h"
#include "machine/thread_plan.h"

namespace parcast::forecast {

struct TargetMachine {
    Machine shape;                                   // everything but the number of CPUs
    std::optional<std::string> file = std::nullopt;  // that it was read from
    bool is_usual = false;  // nobody named a machine or a scheduler, and none was calibrated
    std::optional<std::string> memory = std::nullopt;  // file or preset of what its processors share
    std::vector<std::string> left_out = {};            // keys of `file` that the scheduler has no use for
    std::string network_source = {};  // where shape.network comes from, for people; empty: there is none
    std::optional<ThreadPlan> plan = std::nullopt;     // recordings and thread programs
    std::string plan_file = {};                        // that it was read from
    std::optional<WaitPolicy> waiting = std::nullopt;  // of OpenMP teams, as asked for; in `shape`, too
    // Standard deviations of the logarithms of the speeds of busy CPUs, where the rates are by what was
    // sensed or measured of the program; empty: they are the machine's.
    std::vector<double> speed_deviations = {};
    std::optional<MemoryGrowth> measured_growth = std::nullopt;  // that the rates are by: measured_memory.h
    bool lock_contention = false;  // task graphs: tasks share the graph's locks, and nothing else
};

struct MachineAndCpus {
    TargetMachine machine;
    std::vector<std::uint32_t> cpus;  // to predict, rising
};

// A machine file with the CPUs that it sets, else the usual ones. Its scheduler is `asked`, else the one that
// it names, else the usual one. What it says for another one is left out: `asked` has its own parameters,
// costs and way of locking, and no rates if it knows none. Errors: those of machine_from_toml.
Result<MachineAndCpus> machine_and_cpus(std::string_view text, std::string const& file,
                                        std::optional<SchedulerNumber> asked, SchedulerNumber usual);

// For a recording: what the CPUs do to each other by the memory that they share replaces the machine's rates
// of the memory, for at least as many CPUs as a page can show. Errors: those of model::memory_rates.
Result<void> set_memory_rates(TargetMachine& target, std::uint32_t most_cpus);

// The counts of CPUs if the question names none.
std::vector<std::uint32_t> usual_cpus();

// None: parcast's own values.
std::optional<MachineSource> source_of(TargetMachine const& target);

// What a prediction says about the machine: its values by name with unit ("slice_ns"), and what a reader has
// to know: what disturbed its calibration, and that rates of as many busy CPUs as `most_cpus` were not
// measured.
MachineBasis machine_basis(TargetMachine const& target, std::uint32_t most_cpus);

}  // namespace parcast::forecast
