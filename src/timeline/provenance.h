// Where a recorded timeline comes from and what is known about its quality. Everything that a reader of
// a result must know to judge it; nothing that the simulator needs.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/id.h"

namespace parcast {

struct Module {
    std::string path;
    std::string build_id;  // hexadecimal; empty when the file has none or could not be read
    std::uint64_t load_bias = 0;
    friend bool operator==(Module const&, Module const&) = default;
};

// How the recorder told CPU time from wall time, best first (docs/recording.md).
enum class ClockMethod : std::uint8_t { rseq, perf_page, thread_clock };

// Why a recording covers only the beginning of a run.
enum class CutReason : std::uint8_t {
    size_limit,
    no_space,
    time_limit,
    sandbox,  // from here on: the recorder left the program alone
    ticks_forbidden,
    shared_thread,
    clock_failed,
    unrecorded_program,  // the process went on as another program, of which there is no recording
};

struct Cut {
    CutReason reason = CutReason::size_limit;
    std::int64_t run_ns = 0;  // how long the process ran, wall time; what was recorded is wall_ns of it
    friend bool operator==(Cut const&, Cut const&) = default;
};

// A thread that waited for another one by running: it was seen, while it was recorded, going round in a loop
// that changed nothing, while others were ready to run on its CPU; or samples found it in loops with PAUSE.
struct BusyWait {
    ThreadId thread = ThreadId::none();
    SiteId site = SiteId::none();  // in the loop
    std::int64_t at_ns = 0;        // when it was first seen, wall time since the start of the recording
    std::int64_t cpu_ns = 0;       // by samples; 0: it was seen
    friend bool operator==(BusyWait const&, BusyWait const&) = default;
};

// What the system did for a process: CPU time of its own, page faults served without a disk. From the start
// of the process, which its recording misses some milliseconds of.
struct SystemWork {
    std::int64_t cpu_ns = 0;
    std::int64_t page_faults = 0;
    friend bool operator==(SystemWork const&, SystemWork const&) = default;
};

// What calls of instrumented functions (-finstrument-functions) cost the recorded program, ns.
struct CallProbes {
    std::int64_t depth = 0;  // of calls that were distinguished
    double inside_ns = 0;    // of a call, in the time of the function that is called,
    double outside_ns = 0;   // and in that of its caller
    double deeper_ns = 0;    // of a call beyond the depth
    double share_ns = 0;     // of a WorkShare
    friend bool operator==(CallProbes const&, CallProbes const&) = default;
};

// Which function ran, looked at after each `period_ns` of CPU time of the program.
struct Sampling {
    std::int64_t period_ns = 0;
    std::int64_t samples = 0;
    std::int64_t lost = 0;  // beside them
    friend bool operator==(Sampling const&, Sampling const&) = default;
};

// A variable of the environment that says how a parallel program runs, as its user set it.
struct Setting {
    std::string name;
    std::string value;
    friend bool operator==(Setting const&, Setting const&) = default;
};

// A number that was sensed, and between which two it lies in nine of ten cases.
struct Sensed {
    double value = 0;
    double low = 0;
    double high = 0;
    friend bool operator==(Sensed const&, Sensed const&) = default;
};

// What busy memory does to a program and the program to memory, sensed by further runs on the same CPU while
// loops of parcast on other CPUs moved memory (docs/record.md, Memory). Both are in units of such a loop.
struct MemorySensing {
    Sensed sensitivity;   // 0: as a loop in registers; 1: it slows down as a loop that only moves memory
    Sensed pressure;      // 0: it does not slow other CPUs down; 1: as much as such a loop
    double slowdown = 1;  // CPU time of the program under pressure over that without
    double compute_slowdown = 1;  // of the loops, in the same minutes
    double memory_slowdown = 1;
    std::int64_t pressing_cpus = 0;
    std::int64_t runs = 0;  // under pressure
    friend bool operator==(MemorySensing const&, MemorySensing const&) = default;
};

// What waking a thread and creating one took on the recording's host, in ns; `low` and `high` by how long the
// other CPU had been idle.
struct WakeUpTimes {
    Sensed latency;       // from the release until the thread runs on another, idle CPU
    Sensed call;          // in the thread that wakes it, on top of waking one on its own CPU
    double creation = 0;  // in the thread that creates another, on top of creating one on its own CPU
    friend bool operator==(WakeUpTimes const&, WakeUpTimes const&) = default;
};

// A run of the program to its end, without the recorder.
struct BareRun {
    std::int64_t wall_ns = 0;
    std::int64_t user_ns = 0;  // CPU time, with that of the children that it waited for
    std::int64_t system_ns = 0;
    double others = 0;  // share of the CPUs' time that other programs had meanwhile
    friend bool operator==(BareRun const&, BareRun const&) = default;
};

// Such runs on one number of CPUs, in turn with those on others.
struct MeasuredCpus {
    std::int64_t cpus = 1;
    std::vector<BareRun> runs;  // by round
    friend bool operator==(MeasuredCpus const&, MeasuredCpus const&) = default;
};

struct Provenance {
    std::vector<std::string> command;  // argv of the recorded process
    std::string working_directory;
    std::string host;
    std::string kernel;
    std::string cpu_model;
    std::string date;  // ISO 8601, UTC, start of the recording
    std::string parcast_version;
    std::int64_t process = 0;  // process id
    std::int64_t parent_process = 0;
    std::int64_t recorded_cpu = 0;  // the one CPU it ran on
    std::optional<std::int64_t> pretended_cpus;
    ClockMethod clock = ClockMethod::rseq;
    double event_cost_ns = 0;       // measured in the recorded process, see recording_cost.h
    double unmeasured_cost_ns = 0;  // of an unmeasured event, likewise
    std::int64_t unmeasured_events = 0;
    double map_change_note_ns = 0;  // of the kernel's note of a change of the memory map, and of a page fault
    double map_fault_note_ns = 0;
    // By what share of itself the cost of events may be off either way. By the recorder's price alone: what
    // an event takes depends on what the program does between its calls, from 12 ns beside one long chain of
    // divisions to 21 where calls interrupt what the processor would do in parallel, at a price of 16
    // (docs/performance.md, Recorder).
    double event_cost_uncertainty = 0.33;
    double clock_read_ns = 0;  // of one reading of a thread's CPU clock, likewise
    std::int64_t wall_ns = 0;  // start of recording to end of process
    std::int64_t cpu_ns = 0;   // CPU time of the process over the same span, by its CPU clock
    std::optional<std::int64_t>
        rusage_cpu_ns;                      // user + system by wait4, without children and what was before
    std::optional<SystemWork> system_work;  // likewise; absent when the part of children is unknown
    // What the other processes of the job used while this one ran. Absent: nobody looked.
    std::optional<std::int64_t> others_cpu_ns;
    std::optional<int> exit_status;  // as the shell sees it; absent when it is not known
    std::optional<int> death_signal;
    std::int64_t lost_events = 0;
    bool ended_regularly = false;  // an end marker was written: exit, _exit, exec, or return from main
    std::optional<std::string> replaced_by;  // program of a successful exec
    std::optional<Cut> cut;                  // absent: it goes to the end of the process
    std::vector<BusyWait> busy_waits;        // a thread and site at most once
    std::vector<Module> modules;
    std::optional<CallProbes> call_probes;  // if the program calls them
    std::optional<Sampling> sampling;       // if functions were recorded by it
    // Those of wire::noted_variables that were set when the process began, without what parcast set for it.
    // Absent: nobody noted them.
    std::optional<std::vector<Setting>> settings;
    std::optional<MemorySensing> memory;  // if it was sensed
    // By record --measure, rising from one CPU, as many runs on each; empty: nobody measured.
    std::vector<MeasuredCpus> measured;
    std::optional<WakeUpTimes> wake_ups;  // absent: nobody measured, since there was one CPU

    friend bool operator==(Provenance const&, Provenance const&) = default;
};

char const* name_of(ClockMethod method);  // "rseq", "perf page", "thread clock"

}  // namespace parcast
