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

page::Content overview_of(forecast::Forecast const& predicted, TaskGraphAnswers::Options const& options) {
    report::PageOffer offer = page_offer(predicted);
    offer.compare = options.compare;
    offer.schedulers = options.schedules;
    return page::content_of(report::view_json(predicted.answer, offer, version));
}

}  // namespace

TaskGraphAnswers::TaskGraphAnswers(forecast::Forecast predicted, Options const& options)
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
    auto const machine = forecast::machine_with(predicted_, *cpus, value_of(parameters, "scheduler"));
    if (!machine)
        return sentence(400, machine.error().message + ".");
    auto const detail = value_of(parameters, "timeline") == "0" ? RunDetail::totals : RunDetail::timeline;
    std::string const question = std::to_string(*cpus) + " " + name_of(machine->ready_tasks.policy) +
                                 (detail == RunDetail::totals ? " totals" : "");
    if (auto content = executions_.find(question))
        return found(type_of_executions, std::move(content));
    places_.acquire();
    auto const run = forecast::execute(predicted_, *machine, detail);
    places_.release();
    if (!run)
        return sentence(500, "This schedule has no execution: " + describe(run.error()) + ".");
    auto const content =
        std::make_shared<view::Bytes const>(view::graph_execution_bytes(*run, meaning_of(predicted_.answer)));
    executions_.keep(question, content);
    return found(type_of_executions, content);
}

}  // namespace parcast::cli
