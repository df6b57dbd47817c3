// What is believed of the execution time of a model in the PAMELA language, at each point of a sweep: by
// formula, by simulation, by mean value analysis.

#pragma once

#include <string>
#include <utility>
#include <vector>

#include "answer/answer.h"
#include "answer/question.h"
#include "core/result.h"
#include "program/process_model.h"

namespace parcast::forecast {

// A model, and the values that its reader was given for some of its numbers. What is swept stays a parameter.
struct GivenModel {
    ProcessModel model;
    std::vector<std::pair<std::string, double>> given;
};

// Which of the question's parts contradict each other; before the model is read.
Result<void> check_sweep(SweepQuestion const& question);

// Makes expressions in the model's pool. Errors: unasked (a name or a value is missing), those of the
// expressions.
Result<Answer> forecast_model(std::string const& file, GivenModel& model, Question const& question);

}  // namespace parcast::forecast
