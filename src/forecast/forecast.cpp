#include "forecast/forecast.h"

#include <string>
#include <utility>
#include <variant>

#include "forecast/advise.h"
#include "forecast/forms.h"
#include "forecast/measured_check.h"
#include "forecast/ranges.h"
#include "forecast/recording.h"
#include "forecast/what_if.h"
#include "model/deterministic/deterministic.h"
#include "simulate/simulate.h"

namespace parcast::forecast {

namespace {

std::string all_schedulers() {
    std::string words;
    for (auto const word : scheduler_words)
        words.append(words.empty() ? "" : ", ").append(word);
    return words;
}

Result<Forecast> forecast_of_form(Input input, TargetMachine const& target, Question const& question) {
    auto const& file = input.file;
    if (auto* const recorded = std::get_if<Timeline>(&input.content))
        return forecast_recording(file, std::move(*recorded), target, question);
    if (auto* const graph = std::get_if<ImportedGraph>(&input.content))
        return graph->for_cpus ? forecast_task_graph_by_count(file, std::move(*graph), target, question)
                               : forecast_task_graph(file, std::move(*graph), target, question);
    if (auto* const program = std::get_if<ThreadProgram>(&input.content))
        return forecast_threads(file, std::move(*program), target, question);
    if (auto* const program = std::get_if<StepProgram>(&input.content))
        return forecast_steps(file, std::move(*program), target, question);
    if (auto* const messages = std::get_if<ImportedMessages>(&input.content))
        return forecast_messages(file, std::move(*messages), std::move(input.jobs), target, question);
    return forecast_model(file, std::get<GivenModel>(std::move(input.content)), question);
}

bool can_advise(Forecast const& forecast) {
    if (forecast.answer.is_replayed())
        return !forecast.answer.rows.empty() && forecast.pairing != simulate::Pairing::ordered;
    return forecast.answer.form() == Form::task_graph && !forecast.answer.graph().depends_on_cpus;
}

}  // namespace

Result<Forecast> forecast(Input input, TargetMachine const& target, Question const& question) {
    auto options = std::move(input.options);
    auto forecast = forecast_of_form(std::move(input), target, question);
    if (forecast)
        forecast->answer.options = std::move(options);
    bool const has_ranges = forecast && question.ranges.is_asked && forecast->answer.is_replayed();
    if (has_ranges)
        if (auto const added = add_ranges(*forecast, question.ranges, question.workers, question.listener);
            !added)
            return pass_on(added);
    if (forecast && forecast->answer.is_replayed())
        check_measurements(forecast->answer);
    if (has_ranges)
        if (auto const added = add_what_if_ranges(*forecast, question); !added)
            return pass_on(added);
    if (!forecast || !question.what_to_change || !can_advise(*forecast))
        return forecast;
    auto advice = advise(
        *forecast, {.first_sentence = true, .workers = question.workers, .progress = question.progress});
    if (!advice)
        return pass_on(advice);
    forecast->answer.advice = std::move(*advice);
    return forecast;
}

Result<Machine> machine_with(Forecast const& forecast, std::uint32_t cpus, std::string_view schedule) {
    auto machine = with_cpus(forecast.machine, cpus);
    if (forecast.answer.is_replayed()) {
        auto const scheduler = scheduler_named(schedule);
        if (!scheduler)
            return fail(ErrorCode::malformed, "there is no scheduler '" + std::string(schedule) +
                                                  "'; there are " + all_schedulers());
        return with_scheduler(std::move(machine), *scheduler);
    }
    auto const policy = parse_ready_policy(schedule);
    if (!policy)
        return pass_on(policy);
    machine.ready_tasks.policy = *policy;
    return machine;
}

Result<Run> execute(Forecast const& forecast, Machine const& machine, RunDetail detail) {
    bool const with_timeline = detail != RunDetail::totals;
    if (auto const* const program = std::get_if<ThreadProgram>(&forecast.program))
        return simulate::run(*program, machine,
                             {.with_timeline = with_timeline,
                              .with_arrivals = detail == RunDetail::operations,
                              .pairing = forecast.pairing});
    auto execution = model::execute(forecast.graph(), machine,
                                    {with_timeline ? model::Keep::timeline : model::Keep::totals,
                                     forecast.contention ? &*forecast.contention : nullptr});
    return execution ? Result<Run>(std::move(execution->run)) : pass_on(execution);
}

}  // namespace parcast::forecast
