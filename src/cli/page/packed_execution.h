// Executions as elements of a report, as many timelines of them as a file has room for.

#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "answer/answer.h"
#include "machine/machine.h"
#include "page/document.h"
#include "program/thread_program.h"
#include "simulate/simulate.h"

namespace parcast::cli {

// Of one execution. Beyond, unpacking it takes the browser seconds.
inline constexpr std::size_t most_packed_intervals = 4'000'000;

// Of all executions, in the file.
inline constexpr std::size_t most_packed_bytes = std::size_t{48} << 20;

struct ReportElements {
    std::vector<page::Element> elements;
    std::vector<std::string> notes;  // what is left out, and what that means to a reader; sentences
};

struct PackedExecution {
    std::string scheduler;  // or the schedule of a task graph
    std::uint32_t cpus = 1;
    bool has_timeline = true;
    std::string packed;
    std::string without_timeline;  // the same, accounts alone
};

// Too many to be packed with its timeline.
bool has_many_intervals(Run const& run);

// The replays of a recording, packed as they end.
class PackedRuns {
public:
    // `shown_cpus`: to the program when it was recorded.
    explicit PackedRuns(std::int64_t shown_cpus) : shown_cpus_(shown_cpus) {}

    // A forecast::LookAtRun: takes the timeline. Any number of threads at once.
    void add(Run& run, ThreadProgram const& program, Machine const& machine, simulate::Pairing pairing);

    // Those of the rows, in their order.
    std::vector<PackedExecution> take(Answer const& answer);

private:
    std::int64_t shown_cpus_;
    std::mutex mutex_;
    std::map<std::uint32_t, PackedExecution> executions_;  // by number of CPUs
};

// Timelines as long as they fit, accounts for all, and a note on those that do not. With a simulator in the
// report they only stand in for it.
void add_executions(ReportElements& report, std::vector<PackedExecution> executions, bool has_simulator);

}  // namespace parcast::cli
