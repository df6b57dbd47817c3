// What to change first in a program, on each number of CPUs: `parcast advise`.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "answer/answer.h"
#include "program/work_owners.h"

namespace parcast {

// Work that somebody could change.
struct ChangeableWork {
    OwnerKind kind = OwnerKind::function;
    std::string name;
    SiteId site = SiteId::none();        // of it
    ObjectId object = ObjectId::none();  // a lock
    std::int64_t calls = 0;              // pieces of work
    std::int64_t self_ns = 0;            // CPU time; of a lock: while it is held
};

// A replay with less of it.
struct TriedChange {
    double factor = 1;
    std::optional<double> time_ns;  // none: that replay deadlocks
    double promised_ns = 0;         // by the weights
};

struct AdviceRow {
    std::size_t work = 0;   // into Advice::work
    double weight = 0;      // mean of its pieces
    double decided_ns = 0;  // of the completion: a hundredth of it is gained for each per cent saved
    std::vector<TriedChange> tried;
};

struct AdviceOnCpus {
    std::uint32_t cpus = 1;
    std::optional<double> time_ns;     // replayed under the scheduler; none: a deadlock
    double completion_ns = 0;          // of the extended critical path
    std::vector<AdviceRow> rows;       // of every kind, by what they decide
    std::optional<std::size_t> first;  // into rows: what to change first
};

struct Advice {
    Answer answer;  // what it rests on
    std::vector<ChangeableWork> work;
    std::vector<AdviceOnCpus> counts;  // rising
};

}  // namespace parcast
