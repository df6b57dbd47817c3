#include "forecast/message_rows.h"

#include <algorithm>
#include <utility>

#include "core/listed.h"
#include "machine/network_text.h"
#include "simulate/messages/replay_messages.h"
#include "timeline/run_of_messages.h"

namespace parcast::forecast {

namespace {

std::string preset_names() {
    std::vector<std::string_view> names;
    for (auto const& preset : network_presets())
        names.push_back(preset.name);
    return listed(names);
}

}  // namespace

Result<void> network_is_named(std::string const& file, TargetMachine const& target, bool is_between_nodes) {
    if (target.shape.network && !(is_between_nodes && target.shape.network->is_inside_only))
        return {};
    if (target.shape.network)
        return fail(make_error(
            ErrorCode::unasked,
            target.network_source + " says what messages cost inside a node, and not between nodes",
            "With all ranks on one node: --nodes 1. Between nodes: --network NAME, with " + preset_names() +
                ", or values such as loggp:L=9us,o=2us,g=14us,G=30ns."));
    return fail(make_error(ErrorCode::unasked, file + ": what messages cost here is not known",
                           "Name a network with --network: " + preset_names() +
                               ", or values such as loggp:L=9us,o=2us,g=14us,G=30ns. For ranks on this host "
                               "alone: parcast calibrate measures what messages cost inside it."));
}

Result<std::optional<Duration>> time_on_ideal_network(MessageProgram const& program, double cpu_speed) {
    auto const run = simulate::replay_messages(program, ideal_network(), {.cpu_speed = cpu_speed});
    if (!run)
        return pass_on(run);
    return run->is_deadlocked ? std::optional<Duration>() : std::optional(run->completion);
}

Result<Row> replayed_row(MessageProgram const& program, Network const& network, MessageMethod method,
                         ReplaySetting const& setting) {
    auto run = simulate::replay_messages(program, network,
                                         {.node_of_rank = setting.node_of_rank,
                                          .cpu_speed = setting.cpu_speed,
                                          .with_log = setting.detail != RunDetail::totals});
    if (!run)
        return pass_on(run);
    Row row;
    row.cpus = std::max(1U, program.ranks());
    row.messages = message_times(*run, program, method);
    row.run = run_of(std::move(*run));
    auto const& accounts = row.run.accounts;
    row.time_ns = static_cast<double>(accounts.completion.ns);
    if (accounts.completion.ns > 0)
        row.speed_up = static_cast<double>(accounts.busy.ns) / row.time_ns;
    row.efficiency = row.speed_up / row.cpus;
    return row;
}

}  // namespace parcast::forecast
