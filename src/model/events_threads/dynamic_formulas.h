// The dynamic formulas of the events/threads model: from the number of events of a thread and the mean
// durations of its periods to the share of its life in which it is active, its life and a bound on the
// speed-up (Marinescu, Rice and Vavalis 1990, section 3.3).
//
// Convention: a thread begins and ends with an event, so that kappa events have kappa - 1 active periods
// between them. Any one unit of time.

#pragma once

#include <optional>

namespace parcast::model {

// Of one thread, or the means over all of them.
struct ThreadPeriods {
    double events = 0;     // kappa, at least 1
    double active = 0;     // alpha: mean duration of an active period
    double suspended = 0;  // beta: mean duration of an event, communicating and blocked
};

struct DynamicFormulas {
    std::optional<double> gamma;  // beta / alpha; none: never active
    double eta = 0;               // (3.37): share of the life in which a thread is active; 0 of no life
    std::optional<double> approximate_eta;  // 1 / (1 + gamma), for many events; none as gamma
    double time = 0;                        // (3.38): (kappa - 1) alpha + kappa beta
    double approximate_time = 0;            // kappa (alpha + beta)
    double speed_up_bound = 0;              // (3.39): P eta; reached if and only if no work was added
};

// REQUIRES: events >= 1, durations >= 0, all finite.
DynamicFormulas dynamic_formulas(ThreadPeriods const& periods, double threads);

// S = a / b (2.29 to 2.32). What is running is not blocked: active or communicating.
struct SpeedUpParts {
    double a = 0;         // nu / P: share of the threads that run, 0 to 1
    double b = 0;         // W(P) / (P W(1)), at least 1 / P if no work is lost
    double speed_up = 0;  // a / b; equal to the mean number of active threads if no work is added
};

// `running`: nu, the mean number of threads that run. Works in one unit. REQUIRES: all above 0.
SpeedUpParts speed_up_parts(double threads, double running, double work, double work_of_one);

}  // namespace parcast::model
