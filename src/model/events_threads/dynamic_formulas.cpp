#include "model/events_threads/dynamic_formulas.h"

namespace parcast::model {

DynamicFormulas dynamic_formulas(ThreadPeriods const& periods, double threads) {
    auto const& [events, active, suspended] = periods;
    DynamicFormulas formulas;
    if (active > 0) {
        formulas.gamma = suspended / active;
        formulas.approximate_eta = 1 / (1 + *formulas.gamma);
    }
    double const active_time = (events - 1) * active;
    formulas.time = active_time + events * suspended;
    formulas.approximate_time = events * (active + suspended);
    formulas.eta = formulas.time > 0 ? active_time / formulas.time : 0;
    formulas.speed_up_bound = threads * formulas.eta;
    return formulas;
}

SpeedUpParts speed_up_parts(double threads, double running, double work, double work_of_one) {
    double const a = running / threads;
    double const b = work / (threads * work_of_one);
    return {a, b, a / b};
}

}  // namespace parcast::model
