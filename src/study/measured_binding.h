// Is a bound program as much faster as predicted? It runs bound and unbound by turns, by the protocol of
// `scale`.

#pragma once

#include <string>
#include <vector>

#include "answer/binding.h"
#include "core/notice.h"
#include "core/result.h"
#include "core/time.h"
#include "machine/thread_plan.h"

namespace parcast::study {

struct BindingMeasurement {
    ThreadPlan const& plan;
    std::vector<std::string> const& command;
    std::uint32_t cpus;
    double predicted_gain;
    unsigned runs = 5;  // of each
    Duration time_limit{600'000'000'000};
};

// Why it cannot be measured on so many CPUs here; empty: it can.
std::string reason_not_to_measure(std::uint32_t cpus);

// Errors: those of record::find_host_program, reason_not_to_preload and ThreadBinder; program_failed.
Result<MeasuredBinding> measure_binding(BindingMeasurement const& measurement, Listener const& tell);

}  // namespace parcast::study
