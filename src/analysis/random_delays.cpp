#include "analysis/random_delays.h"

#include <cstddef>
#include <cstdint>

namespace parcast::analysis {

namespace {

enum class Role : std::uint8_t { none, delay, synchronisation };

Role role_of(OperationKind kind) {
    switch (kind) {
        case OperationKind::delay:
        case OperationKind::input_output: return Role::delay;
        case OperationKind::end:
        case OperationKind::join:
        case OperationKind::join_any:
        case OperationKind::condition_wait:
        case OperationKind::condition_barrier:
        case OperationKind::barrier_wait:
        case OperationKind::semaphore_wait:
        case OperationKind::activate:
        case OperationKind::accept: return Role::synchronisation;
        case OperationKind::work_only:
        case OperationKind::create:
        case OperationKind::lock:
        case OperationKind::unlock:
        case OperationKind::read_lock:
        case OperationKind::write_lock:
        case OperationKind::read_write_unlock:
        case OperationKind::condition_signal:
        case OperationKind::semaphore_post:
        case OperationKind::yield:
        case OperationKind::set_affinity:
        case OperationKind::set_priority: return Role::none;
    }
    return Role::none;
}

// Since the last synchronisation.
struct Interval {
    double cpu = 0;
    double delays = 0;
    double since_delay = 0;  // CPU time
};

ThreadDelays delays_of(std::vector<Operation> const& list) {
    ThreadDelays found;
    Interval now;
    for (Operation const& operation : list) {
        auto const work = static_cast<double>(operation.work_ns);
        now.cpu += work;
        now.since_delay += work;
        Role const role = role_of(operation.kind());
        if (role == Role::delay) {
            found.processing.add(now.since_delay);
            found.delay.add(static_cast<double>(operation.value));
            now.delays += static_cast<double>(operation.value);
            now.since_delay = 0;
        } else if (role == Role::synchronisation) {
            if (now.cpu > 0 || now.delays > 0) {
                found.cpu.add(now.cpu);
                found.elapsed.add(now.cpu + now.delays);
            }
            now = {};
        }
    }
    return found;
}

}  // namespace

std::vector<ThreadDelays> delays_between_synchronisations(ThreadProgram const& program) {
    std::vector<ThreadDelays> all;
    for (std::size_t thread = 0; thread < program.lists.size(); ++thread) {
        auto found = delays_of(program.lists[thread]);
        if (found.delay.count() > 0) {
            found.thread = ThreadId(thread);
            all.push_back(found);
        }
    }
    return all;
}

}  // namespace parcast::analysis
