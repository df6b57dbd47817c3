// How much work do events cost, and how much work is left that they do not explain?
//
//     W(P) = W_cons + theta g(P) + W_alg(P)        (2.40)
//
// theta is the slope of the work W on the events E over a series of P, by least squares; or it is known, from
// the machine's measured costs.
// Source: Marinescu, Rice and Vavalis 1990, sections 2.1 and 2.7.

#pragma once

#include <optional>
#include <span>
#include <vector>

#include "core/moments.h"
#include "core/result.h"

namespace parcast::model {

// All that threads do in one run, without waiting.
struct WorkAndEvents {
    double threads = 1;
    double work_ns = 0;  // W(P): active and communicating
    double events = 0;   // E
    double time_ns = 0;  // T(P)
};

struct AddedWorkOfRun {
    double threads = 1;
    double communication_ns = 0;   // W_cc = theta E
    double algorithmic_ns = 0;     // W_alg: what is left; may be negative by noise
    double event_interval_ns = 0;  // T P / E, the mean time between events of a thread (2.42)
};

// Where W_cons comes from: a run of one thread; the line of the series, where that meets no events; or the
// run with the fewest threads, without its events. Unknown: the line is too uncertain for it, and events are
// too large a part of every run.
enum class ConservedSource { run_of_one, line, fewest_threads, unknown };

struct AddedWork {
    double theta_ns = 0;                         // CPU time of an event
    std::optional<ConfidenceInterval> theta_95;  // none: theta was given, or only two runs
    double conserved_ns = 0;                     // W_cons: the work without events; unknown: a guess
    ConservedSource conserved_source = ConservedSource::run_of_one;
    // Half of the 95 % interval of the work of one run about the line; none: theta was given, or only two
    // runs.
    std::optional<double> noise_ns;
    std::vector<AddedWorkOfRun> runs;  // as the series
    // (2.43): how much W_cc + W_alg varies over the runs with P > 1: deviation by mean; none: no such work.
    std::optional<double> variation;
    bool stays_constant = false;  // within a tenth
};

// theta from the series. W_cons is W(1) - theta g(1) with a run of one thread. Otherwise it is where the line
// of relative residuals (relative_line.h) meets no events, if its 95 % interval there is within a fifth of
// it; or the work of the run with the fewest threads without its events, if these are at most a fifth of it.
// Errors: out_of_range (fewer than two runs), inconsistent (the number of events never changes).
Result<AddedWork> added_work(std::span<WorkAndEvents const> series);
// theta known: W_cons as above, of the run with the fewest threads. Errors: out_of_range (no runs).
Result<AddedWork> added_work(std::span<WorkAndEvents const> series, double theta_ns);

}  // namespace parcast::model
