// What the recorder is measured with: each returns the wall time of one operation, ns, and has a goal.

#pragma once

#include <string_view>
#include <vector>

namespace parcast::bench {

struct Workload {
    std::string_view name;
    double (*ns_per_operation)();
    double most_dearer_ns = 0;  // goal for recorded less bare; 0: none
    double highest_ratio = 0;   // goal for recorded over bare; 0: none
    bool peer_sees_it = false;  // LTTng-UST's wrapper traces calls of it (those of mutexes)
};

// Reading the time-stamp counter, which two events do twice; uncontended lock and unlock; a semaphore's post
// and wait; a call of an instrumented function, and one below the depth that is told apart; reading a byte;
// yielding to nobody; creating and joining a thread that does nothing, one after the other and 225 that are
// alive together; handing over between two threads by a mutex and a condition variable.
std::vector<Workload> const& workloads();

}  // namespace parcast::bench
