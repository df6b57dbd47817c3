// What is asked of a program: on which numbers of CPUs, under which schedules, at which values of parameters,
// by which method, and in how much detail. Every form of program is asked with it; which part is for which
// form stands beside it, and the command line refuses what does not fit (FormSet of its options).

#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "answer/run_listener.h"
#include "machine/rank_placement.h"
#include "program/collectives/collective_choice.h"
#include "program/work_change.h"

namespace parcast {

// How a recording is replayed (Broberg 2002, paper VIII).
enum class ReplayModel : std::uint8_t {
    automatic,  // direct; where that deadlocks, the first of the others that does not
    direct,
    client_server,
    strict,  // ordered, where it deadlocks
    ordered,
    all,  // automatic, and the others beside it
};

// Work that threads take from a common store.
enum class HandedOutWork : std::uint8_t {
    anew,      // a piece goes to the thread that is free first, where it is clear what the pieces are
    recorded,  // to the thread that got it on one CPU
};

enum class ModelMethod : std::uint8_t { moments, simulate, both };

inline constexpr std::size_t most_points = 10'000'000;  // of a sweep

// The values that a parameter of a model or of a network goes through, in the order in which they are
// written.
struct Sweep {
    std::string name;
    std::vector<double> values;
    bool is_logarithmic = false;
    bool has_units = false;  // the values are times, in ns

    friend bool operator==(Sweep const&, Sweep const&) = default;
};

struct SimulationLimits {
    std::optional<std::uint32_t> runs;  // exactly; absent: until the mean is as precise
    std::optional<double> precision;    // half of the mean's 95 % interval, per cent of it; absent: 1
    std::optional<std::uint64_t> seed;

    friend bool operator==(SimulationLimits const&, SimulationLimits const&) = default;
};

// Recordings.
struct ReplayQuestion {
    ReplayModel model = ReplayModel::automatic;
    HandedOutWork tasks = HandedOutWork::anew;
    double turn_share = 0;  // of the recorded CPU time, what it cost the threads to take turns on the one CPU

    friend bool operator==(ReplayQuestion const&, ReplayQuestion const&) = default;
};

// How sure is each number? Replays of the program with small changes tell: so many for each number of CPUs.
struct RangeQuestion {
    bool is_asked = false;
    std::optional<std::uint32_t> replays;  // absent: as many as take about a second, from 6 to 20

    friend bool operator==(RangeQuestion const&, RangeQuestion const&) = default;
};

// Task graphs.
struct ScheduleQuestion {
    std::vector<std::string> schedules;  // as they are written, or "all"; empty: the machine's
    bool compare = false;                // other theories beside the first schedule

    friend bool operator==(ScheduleQuestion const&, ScheduleQuestion const&) = default;
};

// Models, but for the sweeps: of steps and message programs they are over values of the network.
struct SweepQuestion {
    std::vector<Sweep> sweeps;
    std::optional<std::vector<double>> levels;  // of quantiles, per cent
    std::optional<ModelMethod> method;
    std::optional<std::string> of;   // a process or an equation; absent: main
    std::optional<std::string> per;  // a parameter that times are divided by
    bool band = false;               // what a picture needs
    bool phases = false;
    bool sensitivity = false;
    SimulationLimits simulation;

    friend bool operator==(SweepQuestion const&, SweepQuestion const&) = default;
};

// Step programs.
struct StepsQuestion {
    bool carry_clocks = false;              // from step to step; else each begins behind a barrier
    std::optional<std::uint64_t> tie_seed;  // draws which of several ranks sends first; none: the lowest

    friend bool operator==(StepsQuestion const&, StepsQuestion const&) = default;
};

// Steps and message programs.
struct NetworkQuestion {
    bool effects = true;  // what half of each value of the network would bring: a run for each

    friend bool operator==(NetworkQuestion const&, NetworkQuestion const&) = default;
};

struct CollectivesQuestion {
    std::optional<CollectiveChoice> choice;  // none: as Open MPI would choose
    bool compare = false;                    // with every other algorithm

    friend bool operator==(CollectivesQuestion const&, CollectivesQuestion const&) = default;
};

// Message programs.
struct MessagesQuestion {
    CollectivesQuestion collectives;
    RankPlacement placement;
    double cpu_speed = 1;  // calculations take this factor less

    friend bool operator==(MessagesQuestion const&, MessagesQuestion const&) = default;
};

// How much of each run is kept.
enum class RunDetail : std::uint8_t {
    totals,
    timeline,    // and its intervals and critical path
    operations,  // and when each operation was executed
};

struct Question {
    std::vector<std::uint32_t> cpus;  // rising; recordings and task graphs
    ReplayQuestion replay;
    RangeQuestion ranges;  // recordings, and programs of threads that were written down
    ScheduleQuestion schedule;
    std::vector<Scenario> what_if;  // executed beside the program as it is; recordings and task graphs
    bool what_to_change = false;    // first, on the first counts; the same
    SweepQuestion sweep;
    StepsQuestion steps;
    NetworkQuestion network;
    MessagesQuestion messages;
    RunDetail detail = RunDetail::totals;
    // In a run of a recording, or in all runs of a task graph, on many CPUs first: runs beyond keep totals.
    std::size_t most_intervals = std::numeric_limits<std::size_t>::max();
    unsigned workers = 1;  // runs at once
    // Told what is being done, where that takes long; may be empty.
    std::function<void(std::string const&)> progress;
    RunListener listener = {};  // of the runs of recordings and task graphs

    // The same question, however it is worked on.
    friend bool operator==(Question const& a, Question const& b) {
        return a.cpus == b.cpus && a.replay == b.replay && a.ranges == b.ranges && a.schedule == b.schedule &&
               a.what_if == b.what_if && a.sweep == b.sweep && a.steps == b.steps && a.network == b.network &&
               a.messages == b.messages;
    }
};

}  // namespace parcast
