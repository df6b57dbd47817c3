// The equations of a time-domain model: phi, delta, omega and T of processes, by phases if asked for, and
// numeric equations as they are, simplified or not.

#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/result.h"
#include "model/composition/time_domain.h"
#include "program/process_model.h"

namespace parcast::forecast {

struct TimeDomainEquation {
    std::string name;  // "T_main"
    symbolic::Expression value;
};

struct LeftOut {
    std::string process;  // "main", or "main, phase 2"
    model::UncontendedResource resource;
};

struct TimeDomainEquations {
    std::vector<TimeDomainEquation> equations;
    std::vector<LeftOut> left_out;  // of omega
};

struct EquationChoice {
    std::vector<std::string> names;  // of processes and numeric equations; none: all processes
    bool phases = false;
    bool unsimplified = false;
};

// Errors: not_found (no such equation, with the nearest name).
Result<TimeDomainEquations> time_domain_equations(ProcessModel& model, EquationChoice const& choice);

}  // namespace parcast::forecast
