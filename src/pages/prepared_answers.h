// What the page gets for its questions about one recording or task graph from the moment at which that was
// read: the forecast is made meanwhile, and what is known of it is answered at once.
//
// Until the forecast is complete, executions come from the program as it was extracted, before any replay of
// it deadlocked: the direct model.

#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string_view>
#include <thread>
#include <vector>

#include "answer/run_listener.h"
#include "pages/forecast_gate.h"
#include "pages/page_answers.h"
#include "report/json/view_json.h"

namespace parcast::pages {

// The questions of PageAnswers, and
//   overview.json?now=1: what is known; without `now`, the complete one, once it is there
//   progress.json[?pause=1|?go_on=1]: which runs were made (docs/formats/view-progress.schema.json)
// Any number of threads may ask at once.
class PreparedAnswers {
public:
    using Forecasting = std::function<Result<PageContent>(RunListener const&)>;
    using OnEnd = std::function<void(Result<PageContent> const&)>;

    struct Setup {
        PageAnswers::Options options;
        std::vector<std::uint32_t> cpus = {};  // that the forecast is about
        // What a page has while nothing was replayed; its forecast is replaced. None: nothing, as for task
        // graphs.
        std::optional<PageContent> begun = std::nullopt;
    };

    // Begins the forecast, in a thread of its own, which calls `on_end`.
    PreparedAnswers(Setup setup, Forecasting forecasting, OnEnd on_end);
    ~PreparedAnswers();  // waits for the forecast
    PreparedAnswers(PreparedAnswers const&) = delete;
    PreparedAnswers& operator=(PreparedAnswers const&) = delete;

    // Whether the forecast is over by then.
    bool wait_for(std::chrono::milliseconds most) const;

    page::Answer answer(std::string_view path, page::Parameters const& parameters);

private:
    void make(Forecasting const& forecasting, OnEnd const& on_end);
    RunListener listener();
    bool is_over() const { return complete_ != nullptr || error_; }
    page::Answer progress(page::Parameters const& parameters);

    Setup setup_;
    ForecastGate gate_;
    mutable std::mutex mutex_;
    mutable std::condition_variable changed_;
    std::shared_ptr<PageAnswers> begun_;
    std::shared_ptr<PageAnswers> complete_;
    std::optional<Error> error_;
    std::multiset<std::uint32_t> running_;
    std::map<std::uint32_t, std::optional<double>> times_ns_;  // by CPUs; none: a deadlock
    std::optional<report::RangeReplays> range_replays_;
    std::jthread forecasting_;
};

}  // namespace parcast::pages
