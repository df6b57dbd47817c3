// Program x question -> answer, for every form of program.

#pragma once

#include <string>
#include <utility>
#include <variant>

#include "answer/answer.h"
#include "forecast/model.h"
#include "forecast/recording.h"
#include "forecast/task_graph.h"

namespace parcast::forecast {

struct ModelForecast {
    GivenModel model;
    Answer answer;
};

// By Form.
using Forecast = std::variant<RecordingForecast, TaskGraphForecast, ModelForecast>;

inline Answer const& answer_of(Forecast const& forecast) {
    return std::visit([](auto const& each) -> Answer const& { return each.answer; }, forecast);
}

}  // namespace parcast::forecast
