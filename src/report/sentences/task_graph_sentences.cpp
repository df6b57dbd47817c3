#include "report/sentences/sentences.h"

#include <algorithm>
#include <map>

#include <fmt/core.h>

#include "report/format.h"

namespace parcast::report {

namespace {

constexpr double least_gain = 0.005;       // of the time, by which another schedule is faster
constexpr double all_that_is_left = 1.01;  // times the critical path

std::string limits_text(RunFacts const& run) {
    auto const loss = notable_loss(run.limits);
    if (!loss)
        return nothing_lost_text(run.cpus);
    auto const lead = on_cpus(run.cpus) + " " + percent_text(loss->share) + " of the processor time ";
    switch (loss->cause) {
        case Cause::no_thread:
            return run.concurrency ? fmt::format(
                                         "{}finds no task to run: for {} of the time fewer tasks run or "
                                         "are ready than there are CPUs.",
                                         lead, percent_text(run.concurrency->share_below_cpus))
                                   : lead + "finds no task to run.";
        case Cause::ready:
            return lead + "is idle while tasks are ready: the schedule keeps them for other CPUs.";
        case Cause::slowed: return lead + "is lost because running tasks delay each other.";
        default: return lead + "goes to taking tasks from the queue.";
    }
}

// The task that is on the critical path for longest. Totals alone have no path.
std::string where_text(RunFacts const& run) {
    if (!run.concurrency)
        return {};
    std::map<std::uint32_t, Duration> times;
    for (auto const& piece : run.path)
        times[piece.thread.value] += piece.end - piece.begin;
    auto const longest = std::ranges::max_element(times, {}, [](auto const& each) { return each.second; });
    if (longest == times.end() || longest->second <= Duration{0})
        return "No task takes any time.";
    return fmt::format("{} takes most of the critical path: {}, {} of the time.",
                       reference(ThreadId(longest->first)), time_text(longest->second),
                       percent_text(to_real(longest->second).ns / to_real(run.accounts.completion).ns));
}

std::string attempt_text(RunFacts const& run, Answer const& prediction) {
    auto const time_ns = to_real(run.accounts.completion).ns;
    auto const& graph = prediction.graph();
    if (time_ns <= graph.span_ns * all_that_is_left && run.cpus > 1)
        return "The critical path is all that is left: split its tasks, or start the longest chain earlier.";
    Row const* best = nullptr;
    std::uint32_t most_cpus = 0;
    for (auto const& other : prediction.rows) {
        most_cpus = std::max(most_cpus, other.cpus);
        if (other.cpus == run.cpus && (best == nullptr || other.time_ns < best->time_ns))
            best = &other;
    }
    if (best != nullptr && best->time_ns < time_ns * (1 - least_gain))
        return fmt::format("The schedule {} takes {} here, {} less.", graph.schedules[best->schedule].name,
                           task_time_text(best->time_ns), percent_text(1 - best->time_ns / time_ns));
    if (graph.schedules.size() == 1)
        return fmt::format(
            "Only the schedule {} was predicted, and none can be compared with it: --schedule all predicts "
            "the others.",
            graph.schedules.front().name);
    return run.cpus < most_cpus ? "No predicted schedule is faster here: choose more CPUs above."
                                : "No predicted schedule is faster here. More CPUs: --cpus.";
}

}  // namespace

RunSentences task_graph_sentences(RunFacts const& run, Answer const& prediction) {
    return {{limits_text(run)}, {where_text(run)}, {attempt_text(run, prediction)}, {}};
}

}  // namespace parcast::report
