#include <algorithm>
#include <limits>
#include <utility>

#include "forecast/forms.h"
#include "forecast/message_rows.h"
#include "machine/network_text.h"
#include "program/collectives/collectives.h"

namespace parcast::forecast {

namespace {

std::vector<std::uint32_t> nodes_of_ranks(std::uint32_t ranks, MessagesQuestion const& question) {
    std::vector<std::uint32_t> nodes;
    if (question.nodes == 0)
        return nodes;
    auto const on_each = (ranks + question.nodes - 1) / question.nodes;
    for (std::uint32_t rank = 0; rank < ranks; ++rank)
        nodes.push_back(question.placement == RankPlacement::packed ? rank / on_each : rank % question.nodes);
    return nodes;
}

MessagesBasis basis_of(MessageProgram const& program, TargetMachine const& target,
                       MessagesQuestion const& question) {
    MessagesBasis basis;
    basis.name = program.name;
    basis.ranks = program.ranks();
    basis.operations = program.operations();
    for (std::size_t each = 0; each < program.operations(); ++each) {
        auto const operation = program.kind[each].operation();
        if (operation == MessageOperation::send) {
            ++basis.messages;
            basis.bytes += program.amount[each];
        } else if (operation == MessageOperation::calc) {
            basis.work.ns += static_cast<std::int64_t>(program.amount[each]);
        }
    }
    basis.network = *target.shape.network;
    basis.network_values = values_text(basis.network.kind, basis.network.values);
    basis.network_source = target.network_source;
    basis.nodes = question.nodes;
    basis.cpu_speed = question.cpu_speed;
    return basis;
}

void add_assumptions(Answer& answer, MessageProgram const& program, Network const& network,
                     MessagesQuestion const& question) {
    auto& assumptions = answer.assumptions;
    assumptions = program.assumptions;
    assumptions.emplace_back(
        "A message costs what the network's values say, whoever else sends: nothing is slowed inside the "
        "network.");
    if (network.kind == NetworkKind::loggops)
        assumptions.emplace_back(
            "A message takes the receiver's processor when it arrives, whether or not its receive is posted; "
            "what "
            "it takes to agree on a rendezvous costs nothing.");
    assumptions.emplace_back(
        question.cpu_speed == 1
            ? "Computations take as long as the program says: ranks do not share processors."
            : "Computations are that much faster throughout: ranks do not share processors.");
    for (auto const& used : answer.messages().collectives)
        assumptions.push_back("Collective operations: " + used.kind + " by " + used.algorithm + ", " +
                              std::to_string(used.operations) + " times; --collectives chooses others.");
}

}  // namespace

Result<Forecast> forecast_messages(std::string const& file, ImportedMessages imported,
                                   TargetMachine const& target, Question const& question) {
    auto const& asked = question.messages;
    if (auto const named = network_is_named(file, target); !named)
        return pass_on(named);
    auto const& network = *target.shape.network;
    if (asked.nodes > 0 && !network.node)
        return fail(make_error(ErrorCode::unasked,
                               "--nodes changes nothing: the network has no values inside a node",
                               "Give them as [network.node] in a machine file: docs/formats/machine.md."));
    if (asked.nodes == 0 && asked.placement != RankPlacement::packed)
        return fail(make_error(ErrorCode::unasked,
                               "--place needs --nodes, the number of nodes to spread the ranks over"));
    std::vector<UsedCollective> used;
    if (has_collectives(imported.program)) {
        auto messages = lowered(imported.program, asked.collectives.value_or(CollectiveChoice{}));
        if (!messages)
            return pass_on(messages);
        for (auto const& each : messages->used)
            used.push_back({std::string(collective_kinds[static_cast<std::size_t>(each.kind)].name),
                            std::string(name_of(each.algorithm)), each.operations});
        imported.program = std::move(messages->program);
    } else if (asked.collectives) {
        return fail(make_error(ErrorCode::unasked, file + " has no collective operation for --collectives"));
    }
    Answer answer;
    answer.file = file;
    answer.basis = basis_of(imported.program, target, asked);
    answer.messages().format = name_of(imported.format);
    answer.messages().collectives = std::move(used);
    auto row = replayed_row(imported.program, network, MessageMethod::replay,
                            nodes_of_ranks(imported.program.ranks(), asked), asked.cpu_speed);
    if (!row)
        return pass_on(row);
    answer.rows.push_back(std::move(*row));
    add_assumptions(answer, imported.program, network, asked);
    return Forecast{std::move(imported.program), target.shape, std::move(answer)};
}

}  // namespace parcast::forecast
