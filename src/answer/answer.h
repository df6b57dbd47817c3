// What a forecast says, for every form of program: what it rests on, a row for each point that was asked for,
// and what is doubtful or assumed. Text, JSON, page, pictures and exports are readings of it; nothing is
// computed from it but words.
//
// Rows are runs: of a recording on a number of CPUs, of a task graph on a number of CPUs under a schedule. A
// model has points instead (ModelBasis): a sweep may have ten million of them, which must not carry the
// accounts of a run.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "answer/advice.h"
#include "answer/estimate.h"
#include "answer/finding.h"
#include "answer/form.h"
#include "answer/limit.h"
#include "answer/lost_time.h"
#include "answer/measured.h"
#include "answer/messages.h"
#include "answer/range.h"
#include "answer/scaling.h"
#include "answer/theories.h"
#include "core/catalogue.h"
#include "core/time.h"
#include "timeline/provenance.h"
#include "timeline/run.h"

namespace parcast {

// What only the run of a task graph has.
struct TaskTimes {
    LostTime lost;
    double mean_busy = 0;             // processors, over the time
    std::vector<double> busy_for_ns;  // by number of busy processors
};

// What one of several models of replays predicts.
struct ModelTime {
    std::string model;
    double time_ns = 0;
    std::optional<Deadlock> deadlock;  // then time_ns is no prediction
};

// One run. With a deadlock there is no prediction: only cpus, models and run.deadlock count.
struct Row {
    std::uint32_t cpus = 1;
    std::uint32_t schedule = 0;  // into TaskGraphBasis::schedules
    Run run;                     // accounts; a timeline where the question asked for it
    double time_ns = 0;          // run.accounts.completion, not rounded
    double speed_up = 1;
    double efficiency = 1;
    std::optional<RowRange> range;        // replayed_forms; none: nobody asked, or what it rests on failed
    std::optional<SpeedUpBounds> bounds;  // none: what they assume does not hold
    std::vector<Limit> limits;
    std::optional<BusiestThread> busiest;  // recordings
    std::vector<ModelTime> models;         // of a program of threads, if all were asked for
    TaskTimes tasks;                       // task graphs
    std::optional<MessageTimes> messages;  // of ranks
    std::vector<std::optional<double>>
        what_if_ns;  // by Answer::what_if; none: it deadlocks. Empty: not tried
    // Likewise: the share of the time that it saves. None: what it rests on failed. Empty: nobody asked.
    std::vector<std::optional<Range>> what_if_gains;
};

// Where the values of a machine come from.
struct MachineSource {
    std::string file;
    std::string host;  // where they were measured, and when; empty: by nobody
    std::string date;
};

struct MachineBasis {
    std::string name;
    std::string scheduler;
    std::string lock_policy;                                       // as in a machine file
    std::vector<std::pair<std::string, std::int64_t>> parameters;  // "slice_ns": value, units in the names
    std::optional<MachineSource> source;                           // none: parcast's own values
    std::vector<double> speeds;  // speeds[k - 1]: of each of k busy CPUs; empty: all 1
    double memory_share = 0;     // of the work, by the machine's rates
    // Standard deviations of the logarithms of `speeds`, by what was sensed of the program; empty: nothing.
    std::vector<double> speed_deviations = {};
    std::optional<MemoryGrowth> measured_growth = {};  // that `speeds` are by
    std::vector<std::string> notes;                    // what to know about it, sentences
};

// A replay that deadlocked under a model that another one replaced.
struct AbandonedReplay {
    std::string model;
    std::uint32_t cpus = 1;
    Deadlock deadlock;
};

// How often a condition was used in the recording: also signals for which nobody waited.
struct RecordedCalls {
    ObjectId object;
    std::int64_t calls = 0;
};

// A program of threads: recorded, or written down.
struct RecordingBasis {
    std::optional<Provenance> provenance;  // none: it was written down
    std::string name;                      // of a program that was written down
    Catalogue catalogue;                   // names every id of the answer
    MachineBasis machine;
    Duration work;      // CPU time that is replayed, but for the price of turns
    Duration turns{0};  // taken out of it, and charged by the replay turn by turn
    Span span;
    std::optional<Duration> time_on_one;     // predicted; none: the replay on one CPU deadlocks
    Duration idle_on_one{0};                 // of it, while no thread could run
    std::string model = "direct";            // or another one of semantics::models
    std::vector<AbandonedReplay> abandoned;  // by model, in the order in which they were tried
    std::vector<ObjectId> paired;            // conditions whose waits get what the recording gave them
    std::vector<RecordedCalls> hand_overs;   // by object; of conditions with a hundred calls and more
    // What was measured beside the recording, and whether the prediction holds there. Empty: nothing.
    std::vector<MeasuredCheck> measured;
    std::vector<Row> measured_rows;          // for these, and for one CPU, where nobody asked for a row
    std::optional<Duration> longest_thread;  // its work; bounds the speed-up where the model keeps the order
};

struct Schedule {
    std::string name;  // as it is written: "batch:4"
    bool is_work_conserving = true;
};

// A schedule that would only repeat another, since the graph says too little.
struct ScheduleLeftOut {
    std::string schedule;
    std::string reason;  // "no task has a process"
};

struct TaskGraphBasis {
    std::string format;  // "json", "wfformat", "stg", "dot"
    std::string name;
    std::uint64_t tasks = 0;
    std::uint64_t groups = 0;
    std::uint64_t precedences = 0;  // between groups
    double work_ns = 0;
    double sequential_ns = 0;  // on one processor that pays nothing for taking tasks: what speed-ups refer to
    double span_ns = 0;
    double average_parallelism = 1;
    std::uint32_t maximum_parallelism = 1;
    bool depends_on_cpus = false;  // each row is of a graph of its own; the values above are for one CPU
    std::string machine;           // its name
    std::optional<MachineSource> source;    // none: parcast's own values
    std::string retire;                     // "one" or "all"
    std::optional<std::string> contention;  // the law
    std::vector<double>
        overhead_ns;  // of taking a task from a shared queue, by the number of busy processors
    std::vector<Schedule> schedules;  // at least one; each has the same numbers of CPUs, one after the other
    std::vector<ScheduleLeftOut> left_out;  // if all were asked for
    std::optional<Theories> comparison;     // of the first schedule
};

struct Answer {
    std::string file;
    std::variant<RecordingBasis, TaskGraphBasis, ModelBasis, MessagesBasis> basis;  // as form() says
    std::vector<Row> rows;             // by schedule, then by CPUs, rising
    std::vector<std::string> what_if;  // changes that were tried beside it, as they were typed
    std::vector<Finding> findings;
    std::vector<std::string> notes;        // what is doubtful about the numbers; sentences
    std::vector<std::string> assumptions;  // that they rest on; sentences
    std::optional<Scaling> scaling;        // of a recording's rows that ended; none: it is withheld
    std::optional<RangeBasis> ranges;      // of the rows; none: nobody asked
    std::optional<Advice> advice;          // on the first counts; none: nobody asked
    std::vector<std::string> options;      // that decide about the numbers, as they were typed

    // What was recorded and what was written down have one basis.
    Form form() const {
        bool const is_written = is_replayed() && !recording().provenance;
        if (has_messages())
            return messages().is_steps ? Form::steps : Form::messages;
        return is_written ? Form::threads : static_cast<Form>(basis.index());
    }
    bool is_replayed() const { return std::holds_alternative<RecordingBasis>(basis); }  // replayed_forms
    bool has_messages() const { return std::holds_alternative<MessagesBasis>(basis); }
    // REQUIRES: of that form; `recording` is for replayed_forms.
    RecordingBasis& recording() { return std::get<RecordingBasis>(basis); }
    RecordingBasis const& recording() const { return std::get<RecordingBasis>(basis); }
    TaskGraphBasis& graph() { return std::get<TaskGraphBasis>(basis); }
    TaskGraphBasis const& graph() const { return std::get<TaskGraphBasis>(basis); }
    ModelBasis& model() { return std::get<ModelBasis>(basis); }
    ModelBasis const& model() const { return std::get<ModelBasis>(basis); }
    MessagesBasis& messages() { return std::get<MessagesBasis>(basis); }
    MessagesBasis const& messages() const { return std::get<MessagesBasis>(basis); }
};

// The rows of one schedule of a task graph.
struct ScheduledRows {
    std::string schedule;
    bool is_work_conserving = true;
    std::span<Row const> rows;
};
std::vector<ScheduledRows> by_schedule(Answer const& answer);

bool has_deadlock(Answer const& answer);

}  // namespace parcast
