// What the page of `parcast view` gets for its questions about one recording.

#pragma once

#include <cstddef>
#include <mutex>
#include <optional>
#include <semaphore>
#include <string>
#include <string_view>
#include <vector>

#include "cli/files/source_text.h"
#include "cli/page/kept_executions.h"
#include "core/result.h"
#include "forecast/forecast.h"
#include "page/server.h"
#include "report/chart/measured_point.h"
#include "view/replay_on_demand.h"

namespace parcast::cli {

// overview.json, execution?cpus=8&scheduler=linux[&timeline=0], execution?scheduler=recorded, source?site=5.
// Executions are replayed when they are first asked for and kept as long as they are few. Any number of
// threads may ask at once.
class ViewAnswers {
public:
    struct Options {
        bool source_text = true;
        bool compare = false;
        std::vector<report::MeasuredPoint> measured;
        unsigned workers = 1;  // replays at once
    };
    ViewAnswers(forecast::Forecast predicted, Options const& options);

    page::Answer answer(std::string_view path, page::Parameters const& parameters);

private:
    using Request = std::optional<view::Request>;  // none: what was recorded
    page::Answer execution(page::Parameters const& parameters);
    page::Answer source(page::Parameters const& parameters);
    Result<view::Bytes> execution_of(Request const& request) const;

    forecast::Forecast predicted_;
    bool has_source_text_;
    page::Content overview_;
    std::counting_semaphore<> replays_;
    KeptExecutions executions_;
    std::mutex sources_mutex_;
    SourceTexts sources_;
};

}  // namespace parcast::cli
