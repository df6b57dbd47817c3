// The forecasts of the forms of program but recordings: forecast.h is where to call them.

#pragma once

#include <string>

#include "answer/formula.h"
#include "answer/question.h"
#include "core/result.h"
#include "forecast/forecast.h"
#include "forecast/time_domain_equations.h"

namespace parcast::forecast {

// What is believed of the execution time of a model in the PAMELA language, at each point of a sweep: by
// formula, by simulation, by mean value analysis.

// Which of the question's parts contradict each other; before the model is read.
Result<void> check_sweep(SweepQuestion const& question);

// Errors: unasked (a name or a value is missing), those of the expressions.
Result<Forecast> forecast_model(std::string const& file, GivenModel given, Question const& question);

// How long a task graph takes under each schedule on each number of CPUs.
//
// The machine's policy counts if the question names no schedule. REQUIRES: the graph passes its check;
// question.cpus is not empty. Errors: unasked (a schedule that there is not, or that the graph says too
// little for), those of the law of contention.
Result<Forecast> forecast_task_graph(std::string const& file, ImportedGraph imported,
                                     TargetMachine const& target, Question const& question);

// The same where the graph's formulas use the number of CPUs, one graph for each (Adve 1993, section 4.4.2).
// Errors: also unasked (timelines and theories are of one graph). REQUIRES: imported.for_cpus.
Result<Forecast> forecast_task_graph_by_count(std::string const& file, ImportedGraph imported,
                                              TargetMachine const& target, Question const& question);

// How long a program of steps takes on a network, by both algorithms (Rugina and Schauser 1998).
//
// REQUIRES: the program passes its check. Errors: unasked (no network is named), inconsistent (it is no LogGP
// network).
Result<Forecast> forecast_steps(std::string const& file, StepProgram program, TargetMachine const& target,
                                Question const& question);

// How long a message program takes on a network, replayed; its collective operations become messages first.
//
// REQUIRES: the program passes its check. Errors: unasked (no network is named), those of lowered() and
// replay_messages().
Result<Forecast> forecast_messages(std::string const& file, ImportedMessages imported,
                                   std::vector<MessageJob> jobs, TargetMachine const& target,
                                   Question const& question);

// The formulas of a model's execution time, for `parcast formula`.

// Errors: those of time_domain_equations.
Result<FormulaAnswer> formula_answer(ProcessModel& model, EquationChoice const& choice);

}  // namespace parcast::forecast
