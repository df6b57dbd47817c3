#include "cli/page/task_graph_answers.h"

#include <cstdint>
#include <memory>
#include <utility>

#include "cli/page/page_answers.h"
#include "cli/page/page_of_graph.h"
#include "cli/version.h"
#include "core/counted.h"
#include "view/execution.h"
#include "view/replay_on_demand.h"

namespace parcast::cli {

namespace {

page::Content overview_of(forecast::TaskGraphForecast const& predicted,
                          TaskGraphAnswers::Options const& options) {
    report::PageOffer offer = page_offer(predicted);
    offer.compare = options.compare;
    offer.schedulers = options.schedules;
    return page::content_of(report::view_json(predicted.answer, offer, version));
}

model::Keep kept_for(view::Detail detail) {
    return detail == view::Detail::totals ? model::Keep::totals : model::Keep::timeline;
}

}  // namespace

TaskGraphAnswers::TaskGraphAnswers(forecast::TaskGraphForecast predicted, Options const& options)
    : predicted_(std::move(predicted)),
      overview_(overview_of(predicted_, options)),
      places_(static_cast<std::ptrdiff_t>(options.workers)) {}

page::Answer TaskGraphAnswers::answer(std::string_view path, page::Parameters const& parameters) {
    if (path == "overview.json")
        return found("application/json", overview_);
    return path == "execution" ? execution(parameters) : page::Answer{};
}

page::Answer TaskGraphAnswers::execution(page::Parameters const& parameters) {
    auto const cpus = number_of(parameters, "cpus");
    if (!cpus || *cpus < 1 || *cpus > view::most_cpus) {
        return sentence(400, "An execution is asked for with cpus from 1 to " + count_text(view::most_cpus) +
                                 " and the scheduler, the name of a schedule.");
    }
    auto const policy = parse_ready_policy(value_of(parameters, "scheduler"));
    if (!policy)
        return sentence(400, policy.error().message + ".");
    auto const detail =
        value_of(parameters, "timeline") == "0" ? view::Detail::totals : view::Detail::timeline;
    std::string const question =
        std::to_string(*cpus) + " " + name_of(*policy) + (detail == view::Detail::totals ? " totals" : "");
    if (auto content = executions_.find(question))
        return found(type_of_executions, std::move(content));
    places_.acquire();
    auto const execution = forecast::execute(predicted_, *cpus, *policy, kept_for(detail));
    places_.release();
    if (!execution)
        return sentence(500, "This schedule has no execution: " + describe(execution.error()) + ".");
    auto const content = std::make_shared<view::Bytes const>(
        view::graph_execution_bytes(execution->run, meaning_of(predicted_.answer)));
    executions_.keep(question, content);
    return found(type_of_executions, content);
}

}  // namespace parcast::cli
