// A recording in three tables: a row a thread, a row a synchronisation object, a row a function.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/id.h"
#include "core/time.h"

namespace parcast {

struct ThreadProfile {
    ThreadId thread;
    Duration lifetime;      // wall time from its first event to its last
    Duration cpu;           // CPU time
    Duration blocked;       // wall time in calls that blocked on an object or thread
    Duration input_output;  // wall time in I/O calls, less their CPU time
    Duration sleeping;
    std::int64_t events = 0;
    bool alive_at_exit = false;
};

struct ObjectProfile {
    ObjectId object;
    std::int64_t operations = 0;  // acquisitions, waits, posts, signals, I/O calls
    std::int64_t contended = 0;   // of these, how many blocked
    Duration waiting;             // wall time in blocked operations
    Duration held_total;          // locks: CPU time of holders between acquire and release
    Duration held_longest;        // locks: the longest of these
};

// In itself and with all that it calls: the TET and TETID of Broberg 2002, paper VI. Without what it cost to
// record the calls.
struct FunctionProfile {
    std::string name;
    SiteId site = SiteId::none();
    std::optional<std::int64_t> calls;  // none where functions were sampled
    double self_ns = 0;
    double total_ns = 0;                  // with what it calls, recursion counted once
    std::optional<double> self_error_ns;  // standard error where they were sampled

    friend bool operator==(FunctionProfile const&, FunctionProfile const&) = default;
};

struct Profile {
    std::vector<ThreadProfile> threads;  // by ThreadId
    std::vector<ObjectProfile> objects;  // only objects with operations; most contended, then most used first
    std::vector<FunctionProfile> functions;  // most time of their own first; empty: they were not recorded
};

inline std::int64_t event_count(Profile const& profile) {
    std::int64_t count = 0;
    for (ThreadProfile const& thread : profile.threads)
        count += thread.events;
    return count;
}

}  // namespace parcast
