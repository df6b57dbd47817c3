// Static analysis of a mapping of tasks to threads, without a clock (Marinescu, Rice and Vavalis 1990,
// section 3.1, as corrected): grouping factors m_i, work W_C = M_D W_D (3.7), numbers of events, data; and,
// for tasks whose work is random, the moments of a thread's work (3.10 to 3.13).
//
// Events: a thread begins with an event and ends with one. Between them
//     task graphs       each synchronisation that is left in the condensed graph (program/condensed_graph.h)
//     steps, messages   each message that the thread receives, and each collective operation; a thread whose
//                       last operation is such an event ends with it
// Sending is a write, which nobody waits in: it belongs to the work between two events. So the numbers of
// the report's two examples come out (3.20 and 3.36 as corrected).

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "program/message_program.h"
#include "program/step_program.h"
#include "program/task_graph.h"

namespace parcast::model {

struct MappedThread {
    std::uint64_t tasks = 0;      // the grouping factor m_i
    double work_ns = 0;           // (3.8)
    std::uint64_t events = 1;     // kappa
    std::uint64_t transfers = 0;  // of the events: with data
    double data_bytes = 0;        // of all of them

    friend bool operator==(MappedThread const&, MappedThread const&) = default;
};

// `process`: the thread of each task, by TaskId. REQUIRES: the graph passes its check; process < threads.
// Cost: as condensed().
std::vector<MappedThread> mapped_threads(TaskGraph const& graph, std::span<std::uint32_t const> process,
                                         std::uint32_t threads);
// By rank; a task is what a rank computes in a step. REQUIRES: they pass their checks. Cost: linear.
std::vector<MappedThread> mapped_threads(StepProgram const& program);
// By rank; a task is a computation.
std::vector<MappedThread> mapped_threads(MessageProgram const& program);

// The thread of each task: the columns of M_D (3.2), in the order of steps and ranks, or of operations.
std::vector<std::uint32_t> computation_mapping(StepProgram const& program);
std::vector<std::uint32_t> computation_mapping(MessageProgram const& program);

// Q_B (3.4): the subdomains that each thread has, ascending. Subdomain j is the data of rank j: it has them
// itself, and so have those that it sends to. Receives from any rank are left out.
using DataMapping = std::vector<std::vector<std::uint32_t>>;
DataMapping data_mapping(StepProgram const& program);
DataMapping data_mapping(MessageProgram const& program);

// Works of tasks that are stationary: all have one mean and one deviation, and any two one correlation.
struct TaskWork {
    double mean_ns = 0;       // mu_D
    double deviation_ns = 0;  // sigma_D
    double correlation = 0;

    // (3.10), (3.11) and (3.13), of threads with so many tasks.
    double mean_of(double tasks) const { return tasks * mean_ns; }
    double variance_of(double tasks) const {
        return deviation_ns * deviation_ns * tasks * (1 + (tasks - 1) * correlation);
    }
    double covariance_of(double tasks, double others) const {
        return deviation_ns * deviation_ns * tasks * others * correlation;
    }
};

}  // namespace parcast::model
