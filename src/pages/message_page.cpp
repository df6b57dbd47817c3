#include "pages/message_page.h"

#include <algorithm>
#include <string>
#include <utility>

#include "core/counted.h"
#include "forecast/message_rows.h"
#include "machine/network_text.h"
#include "pages/executions.h"
#include "timeline/run_of_messages.h"

namespace parcast::pages {

namespace {

// Steps know LogGP's single port, and no nodes.
Network network_for(MessagesBasis const& messages, Network network) {
    if (messages.is_steps) {
        network.kind = NetworkKind::loggp;
        network.node = std::nullopt;
    }
    return network;
}

view::MessageSetting setting_with(MessagesBasis const& messages, Network network) {
    return {network_for(messages, std::move(network)), 0};
}

Network network_of(NetworkPreset const& preset) {
    Network network;
    network.kind = preset.kind;
    network.values = preset.values;
    return network;
}

report::NetworkInPage choice_of(std::string name, std::string source, view::MessageSetting const& setting) {
    auto const numbers = view::numbers_of(setting);
    return {std::move(name),
            values_text(setting.network.kind, setting.network.values),
            std::move(source),
            {numbers.begin(), numbers.end()}};
}

}  // namespace

Result<view::MessageSetting> given_setting(forecast::Forecast const& forecast) {
    auto const& messages = forecast.answer.messages();
    return setting_with(messages, messages.network);
}

report::MessagesInPage messages_in_page(forecast::Forecast const& forecast) {
    auto const& messages = forecast.answer.messages();
    auto const& row = forecast.answer.rows.back();
    auto const lanes = std::max<std::size_t>(1, row.run.accounts.threads.size());
    report::MessagesInPage page;
    page.cpus_of_rank = static_cast<std::uint32_t>(lanes / std::max(1U, messages.ranks));
    page.catalogue = catalogue_of_messages(messages.ranks, page.cpus_of_rank);
    page.networks.push_back(choice_of(std::string(given_network), messages.network_source,
                                      setting_with(messages, messages.network)));
    for (auto const& preset : network_presets())
        if (preset.name != messages.network.name)
            page.networks.push_back(choice_of(std::string(preset.name), std::string(preset.source),
                                              setting_with(messages, network_of(preset))));
    page.cpu_speed = messages.cpu_speed;
    return page;
}

Result<void> prepare_messages(forecast::Forecast& forecast) {
    if (auto* const steps = std::get_if<StepProgram>(&forecast.program))
        forecast.program = overlapped(*steps);
    auto& times = *forecast.answer.rows.back().messages;
    if (!times.ideal_network) {
        auto const ideal = forecast::time_on_ideal_network(std::get<MessageProgram>(forecast.program),
                                                           forecast.answer.messages().cpu_speed);
        if (!ideal)
            return pass_on(ideal);
        times.ideal_network = *ideal;
    }
    auto const lanes = forecast.answer.rows.back().run.accounts.threads.size();
    if (lanes <= view::most_cpus)
        return {};
    return fail(make_error(ErrorCode::inconsistent,
                           forecast.answer.file + " has " + count_text(static_cast<std::int64_t>(lanes)) +
                               " ranks and CPUs of them; a page has lanes for " + count_text(view::most_cpus),
                           "Without a picture: parcast predict " + forecast.answer.file));
}

}  // namespace parcast::pages
