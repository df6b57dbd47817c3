#include <utility>

#include "core/counted.h"
#include "forecast/forms.h"
#include "forecast/message_rows.h"
#include "machine/network_text.h"
#include "simulate/communication_steps.h"

namespace parcast::forecast {

namespace {

Duration work_of(StepProgram const& program) {
    Duration work;
    for (auto const ns : program.compute_ns)
        work.ns += ns;
    return work;
}

MessagesBasis basis_of(StepProgram const& program, TargetMachine const& target,
                       StepsQuestion const& question) {
    MessagesBasis basis;
    basis.is_steps = true;
    basis.format = "json";
    basis.name = program.name;
    basis.ranks = program.ranks;
    basis.steps = program.steps();
    basis.messages = program.messages.size();
    for (auto const& message : program.messages)
        basis.bytes += message.bytes;
    basis.work = work_of(program);
    basis.network = *target.shape.network;
    basis.network_values = values_text(NetworkKind::loggp, basis.network.values);
    basis.network_source = target.network_source;
    basis.carries_clocks = question.carry_clocks;
    basis.tie_seed = question.tie_seed;
    return basis;
}

std::vector<Duration> computing_of_ranks(StepProgram const& program) {
    std::vector<Duration> computing(program.ranks);
    for (std::size_t step = 0; step < program.steps(); ++step)
        for (std::uint32_t rank = 0; rank < program.ranks; ++rank)
            computing[rank].ns += program.compute_of(step)[rank];
    return computing;
}

Row row_of(StepProgram const& program, LogGp const& network, MessageMethod method,
           StepsQuestion const& question) {
    auto const run = simulate::run_steps(
        program, network,
        {.method = method == MessageMethod::standard ? simulate::StepMethod::standard
                                                     : simulate::StepMethod::overestimate,
         .clocks = question.carry_clocks ? simulate::StepClocks::carry : simulate::StepClocks::barrier,
         .tie_seed = question.tie_seed});
    Row row;
    row.cpus = program.ranks;
    row.run.accounts.cpus = program.ranks;
    row.run.accounts.completion = run.time;
    row.run.accounts.busy = work_of(program);
    row.time_ns = static_cast<double>(run.time.ns);
    if (run.time.ns > 0)
        row.speed_up = static_cast<double>(row.run.accounts.busy.ns) / row.time_ns;
    row.efficiency = row.speed_up / program.ranks;
    auto& times = row.messages.emplace();
    times.method = method;
    times.computation = run.computation;
    times.cycle_breaks = run.cycle_breaks;
    auto const computing = computing_of_ranks(program);
    for (std::uint32_t rank = 0; rank < program.ranks; ++rank)
        times.ranks.push_back({run.finish[rank] - Instant{}, computing[rank], run.communicating[rank],
                               run.finish[rank] - Instant{} - computing[rank] - run.communicating[rank]});
    return row;
}

void add_assumptions(Answer& answer, StepProgram const& program, Network const& network,
                     StepsQuestion const& question) {
    auto& assumptions = answer.assumptions;
    assumptions = program.assumptions;
    assumptions.emplace_back(
        "Computing and communicating do not overlap: in each step a rank computes, then sends and receives. "
        "Overlapped, a rank computes its next step as soon as it has its own messages of the last one, and a "
        "processor beside it sends and receives.");
    assumptions.emplace_back(
        question.carry_clocks
            ? "Each rank begins its next step as soon as it has ended its part of the last one."
            : "A step begins when all ranks have ended the one before.");
    assumptions.emplace_back(
        "A message costs what LogGP says, whoever else sends: nothing is slowed inside the network. A rank "
        "sends or receives one message at a time.");
    if (network.kind == NetworkKind::loggops)
        assumptions.emplace_back(
            "The two algorithms know LogGP's single port: overhead for each byte and rendezvous are left "
            "out.");
    if (network.node)
        assumptions.emplace_back("All messages go between nodes: the values inside a node are left out.");
    if (!question.tie_seed)
        assumptions.emplace_back(
            "When several ranks could act next, the lowest does; --ties draws one, as the paper does.");
}

}  // namespace

Result<Forecast> forecast_steps(std::string const& file, StepProgram program, TargetMachine const& target,
                                Question const& question) {
    if (auto const named = network_is_named(file, target); !named)
        return pass_on(named);
    auto const& network = *target.shape.network;
    Answer answer;
    answer.file = file;
    answer.basis = basis_of(program, target, question.steps);
    LogGp const law(network.values);
    for (auto const method : {MessageMethod::standard, MessageMethod::overestimate})
        answer.rows.push_back(row_of(program, law, method, question.steps));
    auto single_port = network;
    single_port.kind = NetworkKind::loggp;
    single_port.node = std::nullopt;
    auto overlapping = replayed_row(overlapped(program), single_port, MessageMethod::overlapped);
    if (!overlapping)
        return pass_on(overlapping);
    auto const& worst = answer.rows.back();
    if (worst.time_ns < answer.rows.front().time_ns)
        answer.notes.push_back(
            "The overestimate is below the standard algorithm: to break circles of ranks that wait for each "
            "other it sends " +
            counted(static_cast<std::int64_t>(worst.messages->cycle_breaks), "message") +
            " early. It is no bound here.");
    if (overlapping->time_ns > answer.rows.front().time_ns)
        answer.notes.emplace_back(
            "Overlapped, it takes longer than in steps: ranks get out of step, and each receives what has "
            "arrived before it sends on. Barriers between the steps keep them together.");
    answer.rows.push_back(std::move(*overlapping));
    add_assumptions(answer, program, network, question.steps);
    return Forecast{std::move(program), target.shape, std::move(answer)};
}

}  // namespace parcast::forecast
