#include "pages/prepared_answers.h"

#include <utility>

#include "report/json/view_json.h"

namespace parcast::pages {

PreparedAnswers::PreparedAnswers(Setup setup, Forecasting forecasting, OnEnd on_end)
    : setup_(std::move(setup)),
      forecasting_([this, forecasting = std::move(forecasting), on_end = std::move(on_end)] {
          make(forecasting, on_end);
      }) {}

PreparedAnswers::~PreparedAnswers() {
    gate_.go_on();
}

void PreparedAnswers::make(Forecasting const& forecasting, OnEnd const& on_end) {
    auto content = forecasting(listener());
    on_end(content);
    auto const complete =
        content ? std::make_shared<PageAnswers>(std::move(*content), setup_.options) : nullptr;
    std::lock_guard const lock(mutex_);
    if (complete)
        complete_ = complete;
    else
        error_ = content.error();
    begun_.reset();
    running_.clear();
    changed_.notify_all();
}

RunListener PreparedAnswers::listener() {
    RunListener listener;
    listener.program_known = [this](ThreadProgram const& program, Machine const& machine,
                                    Answer const& answer) {
        if (!setup_.begun)
            return;
        auto content = std::move(*setup_.begun);
        content.forecast = {program, machine, answer};
        content.cpus_to_come = setup_.cpus;
        auto const begun = std::make_shared<PageAnswers>(std::move(content), setup_.options);
        std::lock_guard const lock(mutex_);
        begun_ = begun;
        changed_.notify_all();
    };
    listener.run_begins = [this](std::optional<std::uint32_t> cpus) {
        gate_.pass();
        std::lock_guard const lock(mutex_);
        if (cpus)
            running_.insert(*cpus);
    };
    listener.run_ended = [this](Run const& run) {
        std::lock_guard const lock(mutex_);
        auto const cpus = run.accounts.cpus;
        if (auto const place = running_.find(cpus); place != running_.end())
            running_.erase(place);
        times_ns_[cpus] = run.deadlock ? std::nullopt : std::optional(to_real(run.accounts.completion).ns);
    };
    listener.range_replay_begins = [this](std::size_t begun, std::size_t all) {
        gate_.pass();
        std::lock_guard const lock(mutex_);
        running_.clear();
        range_replays_ = {begun, all};
    };
    return listener;
}

bool PreparedAnswers::wait_for(std::chrono::milliseconds most) const {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, most, [this] { return is_over(); });
}

page::Answer PreparedAnswers::answer(std::string_view path, page::Parameters const& parameters) {
    if (path == "progress.json")
        return progress(parameters);
    bool const needs_all = path == "overview.json" && !parameters.contains("now");
    std::shared_ptr<PageAnswers> answers;
    {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return is_over() || (begun_ && !needs_all); });
        answers = complete_ ? complete_ : begun_;
    }
    if (!answers)
        return {500, "text/plain; charset=utf-8",
                page::content_of("There is no prediction: " + describe(*error_) + ".")};
    bool const is_chosen = path == "execution" && !PageAnswers::is_recorded(parameters);
    if (!is_chosen)
        return answers->answer(path, parameters);
    ForecastGate::FirstRun const first(gate_);
    return answers->answer(path, parameters);
}

page::Answer PreparedAnswers::progress(page::Parameters const& parameters) {
    if (parameters.contains("pause"))
        gate_.pause();
    if (parameters.contains("go_on"))
        gate_.go_on();
    report::ViewProgress progress;
    {
        std::lock_guard const lock(mutex_);
        progress.is_complete = complete_ != nullptr;
        progress.is_known = complete_ || begun_;
        progress.error = error_ ? describe(*error_) + "." : "";
        progress.cpus = setup_.cpus;
        progress.running = {running_.begin(), running_.end()};
        progress.points = {times_ns_.begin(), times_ns_.end()};
        progress.range_replays = range_replays_;
    }
    progress.is_paused = gate_.is_paused() && !progress.is_complete;
    return {200, "application/json", page::content_of(report::progress_json(progress))};
}

}  // namespace parcast::pages
