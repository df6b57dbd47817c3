#include <algorithm>
#include <limits>
#include <utility>

#include "forecast/compared_collectives.h"
#include "forecast/forms.h"
#include "forecast/message_rows.h"
#include "forecast/network_points.h"
#include "machine/network_text.h"
#include "program/collectives/collectives.h"
#include "program/message_change.h"

namespace parcast::forecast {

namespace {

// By rank: one more than its highest CPU.
std::vector<std::uint32_t> cpus_of_ranks(MessageProgram const& program) {
    std::vector<std::uint32_t> cpus(program.ranks(), 1);
    if (program.cpu.empty())
        return cpus;
    for (std::uint32_t rank = 0; rank < program.ranks(); ++rank)
        for (auto each = program.first_operation[rank]; each < program.first_operation[rank + 1]; ++each)
            cpus[rank] = std::max(cpus[rank], program.cpu_of(each) + 1);
    return cpus;
}

// Where each rank is, if that was asked for and changes what messages cost.
Result<RankNodes> nodes_of_ranks(MessageProgram const& program, Network const& network,
                                 RankPlacement const& placement) {
    if (placement.is_asked() && !network.node)
        return fail(make_error(ErrorCode::unasked,
                               std::string(placement.nodes > 0          ? "--nodes"
                                           : placement.cpus_of_node > 0 ? "--cpus"
                                                                        : "--place") +
                                   " changes nothing: the network has no values inside a node",
                               "Give them, such as --network infiniband-qdr:node.L=300ns,node.o=100ns, or as "
                               "[network.node] in a machine file: docs/formats/machine.md."));
    if (!placement.is_asked() && placement.order != RankPlacement::Order::packed)
        return fail(make_error(ErrorCode::unasked,
                               "--place needs --nodes, the number of nodes to spread the ranks over, or "
                               "--cpus, the CPUs of each"));
    if (!placement.file.empty() && placement.nodes > 0)
        return fail(
            make_error(ErrorCode::unasked,
                       "--nodes and --place " + placement.file + " both say on which node each rank is",
                       "Give one of them."));
    return placed_ranks(placement, cpus_of_ranks(program));
}

MessagesBasis basis_of(MessageProgram const& program, Network const& network, TargetMachine const& target,
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
    basis.network = network;
    basis.network_values = values_text(basis.network.kind, basis.network.values);
    if (basis.network.node)
        basis.node_values = values_text(basis.network.kind, *basis.network.node);
    basis.network_source = target.network_source;
    basis.cpus_of_node = question.placement.cpus_of_node;
    basis.choice = question.collectives.choice.value_or(CollectiveChoice{});
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
    if (!answer.messages().jobs.empty())
        assumptions.emplace_back(
            "The programs start together and do not slow each other: each rank has its processor and its "
            "interface, and nothing is slowed inside the network.");
    if (network.is_inside_only)
        assumptions.push_back("What messages cost was measured: " + network.source + ".");
    for (auto const& used : answer.messages().collectives)
        assumptions.push_back("Collective operations: " + used.kind + " by " + used.algorithm + ", " +
                              std::to_string(used.operations) + " times; --collectives chooses others.");
}

// Collective operations become messages; without any the program stays as it is.
Result<LoweredProgram> as_messages(MessageProgram program, MessagesQuestion const& question) {
    if (!has_collectives(program))
        return LoweredProgram{std::move(program), {}};
    return lowered(program, question.collectives.choice.value_or(CollectiveChoice{}));
}

// The program as each scenario makes it.
Result<std::vector<LoweredProgram>> changed_programs(MessageProgram const& program,
                                                     Question const& question) {
    std::vector<LoweredProgram> programs;
    for (auto const& scenario : question.what_if) {
        auto after = changed(program, scenario);
        auto messages = after ? as_messages(std::move(*after), question.messages)
                              : Result<LoweredProgram>(pass_on(after));
        if (!messages)
            return pass_on(messages);
        programs.push_back(std::move(*messages));
    }
    return programs;
}

}  // namespace

Result<Forecast> forecast_messages(std::string const& file, ImportedMessages imported,
                                   std::vector<MessageJob> jobs, TargetMachine const& target,
                                   Question const& question) {
    auto const& asked = question.messages;
    if (auto const named = network_is_named(file, target, false); !named)
        return pass_on(named);
    auto network = *target.shape.network;
    auto nodes = nodes_of_ranks(imported.program, network, asked.placement);
    if (!nodes)
        return pass_on(nodes);
    if (auto const named = network_is_named(file, target, nodes->nodes != 1); !named)
        return pass_on(named);
    if (network.is_inside_only)  // and so are all messages
        network.values = *network.node;
    if (nodes->nodes == 0 || network.is_inside_only)
        network.node = std::nullopt;
    bool const is_calling = has_collectives(imported.program);
    if (asked.collectives.choice && !is_calling)
        return fail(make_error(ErrorCode::unasked, file + " has no collective operation for --collectives"));
    if (asked.collectives.compare && !question.sweep.sweeps.empty())
        return fail(make_error(ErrorCode::unasked, "--collectives compare is of one network",
                               "Leave --sweep out, or name the network of one of its points."));
    auto const points = network_points(network, question.sweep.sweeps, imported.program.ranks());
    if (!points)
        return pass_on(points);
    auto const changes = changed_programs(imported.program, question);
    if (!changes)
        return pass_on(changes);
    std::optional<MessageProgram> called;
    if (is_calling)
        called = imported.program;
    auto messages = as_messages(std::move(imported.program), asked);
    if (!messages)
        return pass_on(messages, file + ": ");
    auto const& program = messages->program;
    ReplaySetting const setting{nodes->node_of_rank, asked.cpu_speed, question.detail};
    Answer answer;
    answer.file = file;
    answer.basis = basis_of(program, network, target, asked);
    auto& basis = answer.messages();
    basis.format = name_of(imported.format);
    basis.swept = points->swept;
    basis.nodes = std::move(*nodes);
    basis.jobs = std::move(jobs);
    for (auto const& each : messages->used)
        basis.collectives.push_back(
            {std::string(row_of(each.kind).name), std::string(name_of(each.algorithm)), each.operations});
    for (auto const& scenario : question.what_if)
        answer.what_if.push_back(scenario.text);
    auto const ideal = time_on_ideal_network(program, asked.cpu_speed);
    if (!ideal)
        return pass_on(ideal);
    auto rows = rows_of_points(*points, question, [&](NetworkTrial const& trial) -> Result<std::vector<Row>> {
        auto const& tried = trial.scenario == 0 ? program : (*changes)[trial.scenario - 1].program;
        auto row = replayed_row(tried, trial.network, MessageMethod::replay, setting);
        if (!row)
            return pass_on(row);
        row->messages->ideal_network = *ideal;
        return std::vector{std::move(*row)};
    });
    if (!rows)
        return pass_on(rows);
    answer.rows = std::move(*rows);
    if (asked.collectives.compare && called) {
        auto compared = compared_collectives(*called, answer, setting, question.workers);
        if (!compared)
            return pass_on(compared);
        basis.compared = std::move(*compared);
    }
    add_assumptions(answer, program, network, asked);
    Forecast forecast{std::move(messages->program), target.shape, std::move(answer)};
    forecast.called = std::move(called);
    return forecast;
}

}  // namespace parcast::forecast
