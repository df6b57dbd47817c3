// What a study of scaling found out: a prediction for each number of CPUs, each from a recording of its own,
// and, if measured, the same runs in reality.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "answer/answer.h"
#include "answer/comparison.h"
#include "answer/event_price.h"
#include "answer/range.h"
#include "core/spread.h"
#include "core/time.h"

namespace parcast {

struct MeasuredRun {
    RunTimes times;
    std::int64_t waits = 0;        // voluntary context switches
    std::int64_t preemptions = 0;  // involuntary ones
    std::int64_t page_faults = 0;
    double disturbance = 0;     // share of the processors' time that others used meanwhile
    bool is_disturbed = false;  // by more than a run may be that is compared
};

struct MeasuredSeries {
    std::uint32_t cpus = 1;
    std::vector<MeasuredRun> runs;  // by round
    unsigned discarded = 0;         // runs that others disturbed, made again
    unsigned disturbed = 0;         // of `runs`: no better one was to be had
};

// What came of measuring what it costs to take turns on one CPU.
enum class TurnAnswer : std::uint8_t {
    priced,         // the prediction takes turns at this price
    no_clear_cost,  // less than a hundredth of the CPU time, or than the noise
    not_told,       // the program is not told how many threads to make: alone on one CPU it may make others
    waits_by_running,  // what it costs depends on the slices for another reason
    slices_refused,    // by the kernel
    failed,            // a run did not end as it should
};

char const* name_of(TurnAnswer answer);  // "priced", as in JSON

// Threads that take turns on one CPU evict each other's data from its caches.
struct Turns {
    TurnAnswer answer = TurnAnswer::no_clear_cost;
    unsigned pairs = 0;                   // of runs, with usual and with longer time slices
    Duration slice{0};                    // the longer ones
    std::optional<Spread> share = {};     // of CPU time, spent on turns; one value a pair
    std::optional<Spread> price_ns = {};  // of one turn
    std::string problem = {};
};

// The program as it is told to use `cpus` CPUs.
struct ScaledCount {
    std::uint32_t cpus = 1;
    std::vector<std::string> command;
    std::optional<std::string> file;  // of the recording, if it was kept
    std::int64_t events = 0;
    double recording_share = 0;          // of its CPU time, by the recorder's own account
    std::vector<Duration> recorded_cpu;  // of the whole recorded process, as the system charged it: of each
                                         // recording that was made, first of the one that is predicted from
    std::optional<EventPrice> event_price;  // none: not asked for, or events take too little to matter
    std::optional<Turns> turns;             // none: not asked for, or nobody takes turns
    Answer prediction;                      // on 1 CPU, on `cpus`, and on those that it was measured on

    std::optional<double> speed_up;          // against the program that is told to use 1 CPU, there
    std::uint32_t compared_cpus = 1;         // it was measured on 1 CPU and on so many
    std::vector<MeasuredSeries> measured;    // rising; empty: not measured
    std::optional<Comparison> same_threads;  // one CPU against compared_cpus, the same command on both
    std::optional<Comparison> over_one;      // the command for 1 CPU there, against this one on compared_cpus
    // CPU time on one CPU over that of one thread, without what turns cost: here, and on the host of
    // --cpu-times-of; and the speed-up by the paper's rule for that host. None: not known.
    std::optional<double> cpu_growth;
    std::optional<double> cpu_growth_there;
    std::optional<double> speed_up_there;
    std::optional<double> recording_cost;  // recorded over bare CPU time on one CPU, minus 1: measured
};

struct ScaleAnswer {
    std::vector<std::string> command;  // as given, with {cpus} in it
    bool has_placeholder = false;
    // It was not told the count, and made the same threads for each: no speed-up is concluded.
    bool ignores_count = false;
    unsigned runs = 0;  // of each measurement; 0: not measured
    std::uint32_t machine_cpus = 1;
    std::vector<ScaledCount> counts;      // rising
    std::optional<Scaling> scaling = {};  // by speed_up; none: it is not known for all of them, or withheld
    std::optional<std::string> cpu_times_file = {};  // of the other host
};

// The prediction on `cpus` CPUs; none if there is none or it deadlocks.
Row const* predicted_on(ScaledCount const& count, std::uint32_t cpus);

// Of the speed-up of the same threads where it was measured; none: it has no range there.
std::optional<Range> compared_range(ScaledCount const& count);

MeasuredSeries const* measured_on(ScaledCount const& count, std::uint32_t cpus);

}  // namespace parcast
