// What the recorder is measured with: each returns the wall time of one operation, ns.

#pragma once

#include <string_view>
#include <vector>

namespace parcast::bench {

struct Workload {
    std::string_view name;
    double (*ns_per_operation)();
};

// Uncontended lock and unlock; a semaphore's post and wait; reading a byte; yielding to nobody; creating and
// joining a thread that does nothing; handing over between two threads by a mutex and a condition variable.
std::vector<Workload> const& workloads();

}  // namespace parcast::bench
