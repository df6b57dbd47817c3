#include "pages/executions.h"

#include "pages/message_page.h"
#include "pages/numbers_in.h"
#include "report/sentences/sentences.h"
#include "view/execution.h"

namespace parcast::pages {

namespace {

view::Meaning meaning_of(forecast::Forecast const& forecast, Machine const& machine) {
    return view::meaning_of_replays(machine, forecast.pairing, circumstances_of(forecast.answer));
}

view::Bytes bytes_of(forecast::Forecast const& forecast, Machine const& machine, Run const& run) {
    auto const& answer = forecast.answer;
    if (answer.form() == Form::task_graph)
        return view::graph_execution_bytes(run, forecast.graph(), [&answer](RunFacts const& facts) {
            return report::task_graph_sentences(facts, answer);
        });
    return view::execution_bytes(run, forecast.threads(), machine, forecast.pairing,
                                 meaning_of(forecast, machine));
}

Result<view::Bytes> changed_execution(forecast::Forecast const& forecast, Machine const& machine,
                                      ExecutionRequest const& request) {
    if (!forecast.answer.is_replayed())
        return fail(ErrorCode::inconsistent, "only programs of threads are changed");
    auto const after = view::changed_by(forecast.threads(), machine, request.scenario);
    if (!after)
        return pass_on(after);
    auto const run = simulate::run(after->program, after->machine,
                                   request.detail == view::Detail::timeline
                                       ? view::options_for_view(after->program, forecast.pairing)
                                       : simulate::ReplayOptions{.pairing = forecast.pairing});
    if (!run)
        return pass_on(run);
    return view::execution_bytes(*run, after->program, after->machine, forecast.pairing,
                                 meaning_of(forecast, after->machine));
}

Result<view::Bytes> message_execution(forecast::Forecast const& forecast, ExecutionRequest const& request) {
    if (!request.scenario.empty())
        return fail(ErrorCode::inconsistent, "only programs of threads are changed");
    auto const setting = request.scheduler == given_network
                             ? given_setting(forecast)
                             : view::setting_of(numbers_in<double>(request.scheduler));
    if (!setting)
        return pass_on(setting);
    auto const& messages = forecast.answer.messages();
    return view::replay_messages(std::get<MessageProgram>(forecast.program), messages.nodes.node_of_rank,
                                 messages.cpu_speed, *setting, request.detail);
}

RunDetail detail_of(forecast::Forecast const& forecast, view::Detail detail) {
    if (detail == view::Detail::totals)
        return RunDetail::totals;
    bool const has_room =
        forecast.answer.is_replayed() && operation_count(forecast.threads()) <= view::most_events;
    return has_room ? RunDetail::operations : RunDetail::timeline;
}

}  // namespace

std::string scheduler_of(Row const& row, Answer const& answer) {
    if (answer.has_messages())
        return std::string(given_network);
    return answer.form() == Form::task_graph ? answer.graph().schedules[row.schedule].name
                                             : answer.recording().machine.scheduler;
}

view::Bytes execution_bytes(forecast::Forecast const& forecast, Row const& row) {
    if (forecast.answer.has_messages())
        return view::message_execution_bytes(row.run, *row.messages,
                                             forecast.answer.messages().nodes.node_of_rank);
    return bytes_of(forecast, with_cpus(forecast.machine, row.cpus), row.run);
}

Result<view::Bytes> execution_bytes(forecast::Forecast const& forecast, ExecutionRequest const& request) {
    if (forecast.answer.has_messages())
        return message_execution(forecast, request);
    auto const machine = forecast::machine_with(forecast, request.cpus, request.scheduler);
    if (!machine)
        return pass_on(machine);
    if (!request.scenario.empty())
        return changed_execution(forecast, *machine, request);
    auto const run = forecast::execute(forecast, *machine, detail_of(forecast, request.detail));
    if (!run)
        return pass_on(run);
    return bytes_of(forecast, *machine, *run);
}

}  // namespace parcast::pages
