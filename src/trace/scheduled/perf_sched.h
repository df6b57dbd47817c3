// The threads of a program as the kernel scheduled them: reads the text that `perf script` prints of what
// `perf sched record` measured (docs/formats/perf-sched.md). Reading it takes no privileges.
//
// A thread is running from the switch to it until the switch from it, then ready if it was preempted, else
// blocked until it is woken. The program is its first thread and all that descends from it.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/catalogue.h"
#include "core/result.h"
#include "core/time.h"
#include "timeline/accounts.h"
#include "timeline/interval.h"

namespace parcast::trace {

struct ScheduledProgram {
    Catalogue catalogue;  // threads, in the order in which they were created
    // running, ready, blocked; input_output: blocked without being interruptible. CpuId i is cpu_numbers[i].
    IntervalColumns intervals;
    Accounts accounts;  // the system's work is among `busy`; idle.conditions: whatever threads wait for
    std::vector<std::uint32_t> cpu_numbers;  // of the kernel, rising: those on which a thread of it ran
    std::int64_t lost = 0;                   // events that perf reports as lost
    bool ended = true;                       // all of its threads did, before the measurement
};

struct ScheduledProgramQuestion {
    std::string program;                // the name of its first thread, of which the kernel keeps 15 letters
    std::optional<std::uint32_t> cpus;  // that it could use; none: those that it used
};

// Errors, with the line: malformed (no line of perf script has an event of the scheduler, a time before the
// one of the line above), not_found (no thread of that name), inconsistent (more threads ran at once than
// there are CPUs). Cost: one pass; memory proportional to the events.
Result<ScheduledProgram> scheduled_program_from_perf(std::string_view text, std::string_view file,
                                                     ScheduledProgramQuestion const& question);

// Whether the first lines look like it.
bool is_perf_sched_text(std::string_view head);

}  // namespace parcast::trace
