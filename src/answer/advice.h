// What to change first in a program, on each number of CPUs: `parcast advise`.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "answer/range.h"
#include "core/id.h"
#include "core/time.h"
#include "program/work_owners.h"

namespace parcast {

// Work that somebody could change.
struct ChangeableWork {
    OwnerKind kind = OwnerKind::function;
    std::string name;
    SiteId site = SiteId::none();         // of it
    std::vector<ObjectId> locks = {};     // a lock, or several that are one row
    std::int64_t calls = 0;               // pieces of work, or calls that were recorded; of a group, tasks
    double self_ns = 0;                   // CPU time; of a lock: while it is held
    std::optional<double> total_ns = {};  // of a function: with all that it calls, if that was recorded
    std::uint64_t bytes = 0;              // of messages with a tag
    double value = 0;                     // of the network, as NetworkParameter has it
};

// Why a replay does not bring what the weights promise, which hold for small changes.
enum class PartsBy : std::uint8_t {
    nothing,    // it does, nearly
    path,       // before the change is made in full, other work decides the time, or locks change their order
    scheduler,  // the extended critical path agrees with them; the scheduler adds what it does not have
};

// A replay with less of it.
struct TriedChange {
    double factor = 1;
    std::optional<double> time_ns;  // none: that replay deadlocks
    double promised_ns = 0;         // by the weights
    PartsBy parts_by = PartsBy::nothing;
    std::optional<Range> gain_range = {};  // share of the time; none: nobody asked, or replays failed
};

struct AdviceRow {
    std::size_t work = 0;   // into Advice::work
    double weight = 0;      // mean of its pieces
    double decided_ns = 0;  // of the completion: a hundredth of it is gained for each per cent saved
    std::vector<TriedChange> tried;
};

// Once the first to change takes this share of its time, other work is the first.
struct Overtaken {
    double factor = 1;
    std::optional<std::size_t> by;  // into Advice::work; none: nothing decides anything any more
};

struct AdviceOnCpus {
    std::uint32_t cpus = 1;
    std::optional<double> time_ns;          // replayed under the scheduler; none: a deadlock
    std::optional<Range> time_range_ns;     // none: nobody asked, or what it rests on failed
    double completion_ns = 0;               // of the extended critical path
    std::vector<AdviceRow> rows;            // of every kind, by what they decide
    std::optional<std::size_t> first;       // into rows: what to change first
    std::optional<Overtaken> overtaken;     // none: not before a tenth of it is left
    std::vector<double> weight_times_cpus;  // by Advice::segments
};

// A piece of work, or a task, in a run with a processor for each.
struct AdviceSegment {
    std::uint32_t who = 0;         // the thread, or the task
    SiteId site = SiteId::none();  // of the call after it
    double begin_ns = 0;
    double end_ns = 0;
};

// What the critical path of a message program is made of.
struct MessagePath {
    double computing_ns = 0;
    double communicating_ns = 0;  // processors send and receive
    double in_flight_ns = 0;
    double gap_ns = 0;  // an interface is not free yet
};

struct Advice {
    std::vector<ChangeableWork> work;
    // Rising; of a message program one, with its ranks; of steps one for each method, as its answer's rows.
    std::vector<AdviceOnCpus> counts;
    std::optional<MessagePath> message_path;
    std::vector<AdviceSegment> segments;  // where they were asked for
};

}  // namespace parcast
