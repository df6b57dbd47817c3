#include "pages/page_content.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>

#include "analysis/scaling.h"
#include "core/counted.h"
#include "machine/schedulers.h"
#include "model/deterministic/policies_for.h"
#include "pages/message_page.h"

namespace parcast::pages {

namespace {

// A browser keeps names, accounts and a lane for each. Beyond these it would need gigabytes.
constexpr std::size_t most_tasks = 2'000'000;

std::vector<Scaling> scaling_by_schedule(Answer const& answer) {
    std::vector<Scaling> all;
    for (auto const& schedule : by_schedule(answer)) {
        std::vector<analysis::SpeedUpAt> points;
        for (auto const& row : schedule.rows)
            points.push_back({row.cpus, row.speed_up});
        all.push_back(analysis::scaling(points));
    }
    return all;
}

report::GraphInPage graph_in_page(TaskGraph const& graph, Answer const& answer) {
    report::TaskGroups groups{graph.first_task, graph.group_names, graph.first_successor, {}};
    std::ranges::transform(graph.successors, std::back_inserter(groups.successors), &TaskGroupId::value);
    return {std::move(groups), scaling_by_schedule(answer)};
}

}  // namespace

std::vector<std::string> usual_schedules() {
    return {"fifo", "lpt", "critical-path"};
}

Result<void> check_size(TaskGraph const& graph, std::string const& file) {
    if (graph.tasks() <= most_tasks)
        return {};
    return fail(make_error(ErrorCode::inconsistent,
                           file + " has " + count_text(static_cast<std::int64_t>(graph.tasks())) +
                               " tasks; a browser has room for " + count_text(most_tasks),
                           "Without a picture: parcast predict " + file +
                               ". With a task for each CPU and loop: parcast extract --condense 8 " + file));
}

std::vector<std::string> schedulers_of(forecast::Forecast const& forecast) {
    if (forecast.answer.is_replayed())
        return {scheduler_words.begin(), scheduler_words.end()};
    std::vector<std::string> names;
    if (forecast.answer.has_messages()) {
        for (auto const& network : messages_in_page(forecast).networks)
            names.push_back(network.name);
        return names;
    }
    std::ranges::transform(forecast.answer.graph().schedules, std::back_inserter(names), &Schedule::name);
    return names;
}

std::vector<std::string> possible_schedulers(forecast::Forecast const& forecast) {
    if (forecast.answer.form() != Form::task_graph)
        return schedulers_of(forecast);
    std::vector<std::string> names;
    for (auto const& policy : model::policies_for(forecast.graph()))
        names.push_back(name_of(policy));
    return names;
}

report::PageOffer page_offer(PageContent const& content) {
    auto const& answer = content.forecast.answer;
    report::PageOffer offer;
    offer.source_text = answer.is_replayed() && content.source_text;
    offer.recorded = answer.form() == Form::recording;
    offer.signature = content.signature;
    offer.schedulers = content.schedulers;
    offer.measured = content.measured;
    offer.bindings = content.bindings;
    offer.cpus_to_come = content.cpus_to_come;
    if (answer.has_messages())
        offer.messages = messages_in_page(content.forecast);
    if (answer.form() == Form::task_graph)
        offer.graph = graph_in_page(content.forecast.graph(), answer);
    return offer;
}

std::string overview_json(PageContent const& content, report::PageOffer const& offer) {
    return report::view_json(content.forecast.answer, offer, content.parcast_version);
}

}  // namespace parcast::pages
