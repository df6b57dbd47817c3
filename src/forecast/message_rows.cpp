#include "forecast/message_rows.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "core/listed.h"
#include "machine/network_text.h"
#include "simulate/messages/replay_messages.h"

namespace parcast::forecast {

namespace {

std::string preset_names() {
    std::vector<std::string_view> names;
    for (auto const& preset : network_presets())
        names.push_back(preset.name);
    return listed(names);
}

Network ideal_network() {
    Network network;
    network.values.rendezvous_bytes = std::numeric_limits<std::uint64_t>::max();
    return network;
}

RankTimes times_of_rank(MessageRun const& run, std::uint32_t rank) {
    RankTimes times;
    times.finish = run.ranks[rank].finished - Instant{};
    for (std::uint32_t cpu = 0; cpu < run.cpus; ++cpu) {
        auto const& account = run.account(rank, cpu);
        times.computing += account.computing;
        times.communicating += account.communicating;
        times.waiting += account.waiting();
        for (std::size_t wait = 0; wait < message_wait_count; ++wait)
            times.waiting_for[wait] += account.waiting_for[wait];
    }
    return times;
}

MessageTimes times_of(MessageRun const& run, MessageProgram const& program, MessageMethod method) {
    MessageTimes times;
    times.method = method;
    for (std::uint32_t rank = 0; rank < run.ranks.size(); ++rank) {
        times.ranks.push_back(times_of_rank(run, rank));
        times.computation = std::max(times.computation, times.ranks.back().computing);
    }
    if (run.bytes_received > 0)
        times.incast_share =
            static_cast<double>(run.bytes_in_incast) / static_cast<double>(run.bytes_received);
    times.is_deadlocked = run.is_deadlocked;
    for (auto const* list : {&run.unmatched_receives, &run.unmatched_sends})
        for (auto each : *list) {
            each.operation -= program.first_operation[each.rank];
            times.unmatched.push_back(each);
        }
    return times;
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
    auto const run = simulate::replay_messages(
        program, network, {.node_of_rank = setting.node_of_rank, .cpu_speed = setting.cpu_speed});
    if (!run)
        return pass_on(run);
    Row row;
    row.cpus = std::max(1U, program.ranks());
    auto& accounts = row.run.accounts;
    accounts.cpus = row.cpus;
    accounts.completion = run->completion;
    row.time_ns = static_cast<double>(run->completion.ns);
    row.messages = times_of(*run, program, method);
    for (auto const& rank : row.messages->ranks)
        accounts.busy += rank.computing;
    if (run->completion.ns > 0)
        row.speed_up = static_cast<double>(accounts.busy.ns) / row.time_ns;
    row.efficiency = row.speed_up / row.cpus;
    if (run->is_deadlocked)
        row.run.deadlock = Deadlock{Instant{run->completion.ns}, {}};
    return row;
}

}  // namespace parcast::forecast
