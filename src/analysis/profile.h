// A recording in two tables: a row a thread, a row a synchronisation object.

#pragma once

#include <span>

#include "analysis/holding.h"
#include "answer/profile.h"
#include "timeline/event.h"

namespace parcast::analysis {

// Makes the tables of one thread after the other.
class Profiler {
public:
    Profiler(std::size_t threads, std::size_t objects);

    void add(ThreadId thread, Event const& event);
    void end_thread() { holdings_.end_thread(); }
    Profile finish();

private:
    void count_time(ThreadProfile& row, Event const& event);
    void count_operation(Event const& event);

    std::vector<ThreadProfile> threads_;
    std::vector<ObjectProfile> objects_;
    HoldingTimes holdings_;
    std::int64_t thread_begin_ns_ = 0;
};

}  // namespace parcast::analysis
