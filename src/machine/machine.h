// On what a program runs: processors, scheduler, and the costs of scheduling. A plain value; the TOML
// form is docs/formats/machine.md, its reader machine/machine_toml.h. Schedulers are described in
// docs/schedulers.md.

#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/result.h"
#include "machine/calibration.h"
#include "machine/costs.h"
#include "machine/memory.h"
#include "machine/network.h"
#include "machine/rates.h"
#include "machine/ready_policy.h"
#include "machine/schedulers.h"

namespace parcast {

struct Machine {
    std::string name = "ideal";
    std::uint32_t cpus = 1;  // 1..65536
    Scheduler scheduler = IdealScheduler{};
    LockPolicy lock_policy = LockPolicy::hand_off;
    Costs costs;
    bool knows_wake_ups =
        false;  // of the costs, those of waking and creating were measured, beside a recording
    Waiting waiting;
    Devices devices;
    Rates rates;
    std::optional<SharedResources>
        shared;                      // what busy processors compete for; of recordings, what `rates` say
    ReadyTasks ready_tasks;          // of task graphs: instead of scheduler, costs and waiting
    std::optional<Network> network;  // of step programs: what messages cost
    std::optional<Calibration> calibration;  // where the values come from, if they were measured
    friend bool operator==(Machine const&, Machine const&) = default;
};

// The built-in machine of a scheduler: what `--scheduler` names.
Machine machine_under(SchedulerNumber scheduler, std::uint32_t cpus);
Machine ideal_machine(std::uint32_t cpus);
Machine linux_machine(std::uint32_t cpus);

Machine with_cpus(Machine machine, std::uint32_t cpus);
// Under another scheduler than its own, the built-in machine of that scheduler, with as many CPUs. Between
// the fair classes of linux nothing else changes.
Machine with_scheduler(Machine machine, SchedulerNumber scheduler);

// Errors: out_of_range, with the field and its limits.
Result<void> check(Machine const& machine);

}  // namespace parcast
