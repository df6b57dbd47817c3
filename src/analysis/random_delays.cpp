#include "analysis/random_delays.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <utility>

#include "program/sleeps.h"

namespace parcast::analysis {

namespace {

// Where an interval between synchronisations begins and ends: the thread waits for others, or ends.
bool synchronises(OperationKind kind) {
    auto const role = traits_of(kind).role;
    return role == Role::waits || role == Role::meets || kind == OperationKind::end;
}

// Semaphores that every thread posts as often as it waits for them serve as locks (Python's interpreter has
// such ones), and a lock begins no interval.
std::vector<bool> semaphores_that_are_locks(ThreadProgram const& program) {
    std::vector<bool> is_lock(program.catalogue.objects.size(), true);
    for (auto const& list : program.lists) {
        std::map<std::uint32_t, std::int64_t> held;
        for (Operation const& operation : list)
            if (operation.kind() == OperationKind::semaphore_wait)
                ++held[operation.object];
            else if (operation.kind() == OperationKind::semaphore_post)
                held[operation.object] -= decode_grant(operation.value).tokens;
        for (auto const& [object, count] : held) {
            // It may hold the semaphore when it ends.
            if (count < 0 || count > 1)
                is_lock[object] = false;
        }
    }
    return is_lock;
}

// Since the last synchronisation.
struct Interval {
    double cpu = 0;
    double delays = 0;
    double since_delay = 0;  // CPU time
};

// What a thread does between its last synchronisation and its end is no interval if it is next to nothing, or
// no more than ending a thread costs and far below each of its intervals.
bool is_way_out(Interval const& last, ThreadDelays const& found, double least_cpu) {
    constexpr double next_to_nothing = 0.01;  // of the mean interval
    constexpr double far_below = 0.25;        // of the least interval
    constexpr double most_of_an_end = 1e5;    // ns; 18 us were measured
    if (found.cpu.count() == 0 || last.delays > 0)
        return false;
    return last.cpu < next_to_nothing * found.cpu.mean() ||
           (last.cpu < most_of_an_end && last.cpu < far_below * least_cpu);
}

ThreadDelays delays_of(OperationList const& list, std::vector<bool> const& is_lock) {
    ThreadDelays found;
    Interval now;
    Sleeps sleeps;
    std::int64_t clock_ns = 0;  // of its work and delays alone
    double least_cpu = std::numeric_limits<double>::infinity();
    for (Operation const& operation : list) {
        auto const work = static_cast<double>(operation.work_ns);
        clock_ns += operation.work_ns;
        now.cpu += work;
        now.since_delay += work;
        bool const locks = operation.kind() == OperationKind::semaphore_wait && is_lock[operation.object];
        if (is_delay(operation.kind())) {
            found.processing.add(now.since_delay);
            auto const began_ns = std::exchange(clock_ns, sleeps.end_of(operation, clock_ns));
            auto const length = static_cast<double>(clock_ns - began_ns);
            found.delay.add(length);
            now.delays += length;
            now.since_delay = 0;
        } else if (synchronises(operation.kind()) && !locks) {
            bool const is_rest = operation.kind() == OperationKind::end && is_way_out(now, found, least_cpu);
            if (!is_rest && (now.cpu > 0 || now.delays > 0)) {
                found.cpu.add(now.cpu);
                least_cpu = std::min(least_cpu, now.cpu);
                found.elapsed.add(now.cpu + now.delays);
                found.processing.add_cut_off(now.since_delay);
            }
            now = {};
        }
    }
    return found;
}

}  // namespace

std::vector<ThreadDelays> delays_between_synchronisations(ThreadProgram const& program) {
    auto const is_lock = semaphores_that_are_locks(program);
    std::vector<ThreadDelays> all;
    for (std::size_t thread = 0; thread < program.lists.size(); ++thread) {
        auto found = delays_of(program.lists[thread], is_lock);
        if (found.delay.count() > 0) {
            found.thread = ThreadId(thread);
            all.push_back(found);
        }
    }
    return all;
}

}  // namespace parcast::analysis
