// What the page of `parcast view` gets for its questions about one task graph.

#pragma once

#include <semaphore>
#include <string>
#include <string_view>
#include <vector>

#include "cli/page/kept_executions.h"
#include "forecast/forecast.h"
#include "page/server.h"

namespace parcast::cli {

// overview.json, execution?cpus=8&scheduler=lpt[&timeline=0]. The graph is executed when it is first asked
// for. Any number of threads may ask at once.
class TaskGraphAnswers {
public:
    struct Options {
        std::vector<std::string> schedules;  // to choose from, the first one is shown at first
        bool compare = false;
        unsigned workers = 1;  // executions at once
    };
    TaskGraphAnswers(forecast::Forecast predicted, Options const& options);

    page::Answer answer(std::string_view path, page::Parameters const& parameters);

private:
    page::Answer execution(page::Parameters const& parameters);

    forecast::Forecast predicted_;
    page::Content overview_;
    std::counting_semaphore<> places_;
    KeptExecutions executions_;
};

}  // namespace parcast::cli
