#include <utility>

#include "core/counted.h"
#include "forecast/forms.h"
#include "forecast/message_rows.h"
#include "forecast/network_points.h"
#include "forecast/step_rows.h"
#include "machine/network_text.h"
#include "program/message_change.h"
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
        "Overlapped, a rank computes its next step as soon as it has sent its messages of the last one and "
        "has received its own.");
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

// The program as it is, and as each scenario makes it.
Result<std::vector<StepProgram>> programs_of(StepProgram const& program, Question const& question) {
    std::vector<StepProgram> programs = {program};
    for (auto const& scenario : question.what_if) {
        auto after = changed(program, scenario);
        if (!after)
            return pass_on(after);
        programs.push_back(std::move(*after));
    }
    return programs;
}

void add_notes(Answer& answer) {
    bool const is_one_point = answer.messages().swept.empty();
    auto const where = is_one_point ? "" : " at some points";
    Row const* below = nullptr;
    bool is_longer = false;
    for (std::size_t row = 0; row < answer.rows.size(); row += step_methods) {
        auto const& standard = answer.rows[row];
        if (answer.rows[row + 1].time_ns < standard.time_ns && below == nullptr)
            below = &answer.rows[row + 1];
        is_longer = is_longer || answer.rows[row + 2].time_ns > standard.time_ns;
    }
    if (below != nullptr)
        answer.notes.push_back(
            std::string("The overestimate is below the standard algorithm") + where +
            ": to break circles of ranks that wait for each other it sends " +
            counted(static_cast<std::int64_t>(below->messages->cycle_breaks), "message") +
            (is_one_point ? " early. It is no bound here." : " early. It is no bound there."));
    if (is_longer)
        answer.notes.push_back(
            std::string("Overlapped, it takes longer than in steps") + where +
            ": ranks get out of step, and each receives what has arrived before it sends on. Barriers "
            "between the steps keep them together.");
}

}  // namespace

Network single_port_of(Network network) {
    network.kind = NetworkKind::loggp;
    network.node = std::nullopt;
    return network;
}

Result<std::vector<Row>> step_rows(StepProgram const& program, Network const& network,
                                   StepsQuestion const& question, RunDetail detail) {
    std::vector<Row> rows;
    LogGp const law(network.values);
    for (auto const method : {MessageMethod::standard, MessageMethod::overestimate})
        rows.push_back(row_of(program, law, method, question));
    auto row = replayed_row(overlapped(program), network, MessageMethod::overlapped, {.detail = detail});
    if (!row)
        return pass_on(row);
    rows.push_back(std::move(*row));
    return rows;
}

Result<Forecast> forecast_steps(std::string const& file, StepProgram program, TargetMachine const& target,
                                Question const& question) {
    if (auto const named = network_is_named(file, target); !named)
        return pass_on(named);
    auto const& network = *target.shape.network;
    auto const points = network_points(single_port_of(network), question.sweep.sweeps, program.ranks);
    if (!points)
        return pass_on(points);
    auto programs = programs_of(program, question);
    if (!programs)
        return pass_on(programs);
    Answer answer;
    answer.file = file;
    answer.basis = basis_of(program, target, question.steps);
    answer.messages().swept = points->swept;
    for (auto const& scenario : question.what_if)
        answer.what_if.push_back(scenario.text);
    auto rows = rows_of_points(*points, question, [&](NetworkTrial const& trial) {
        return step_rows((*programs)[trial.scenario], trial.network, question.steps, question.detail);
    });
    if (!rows)
        return pass_on(rows);
    answer.rows = std::move(*rows);
    add_notes(answer);
    add_assumptions(answer, program, network, question.steps);
    return Forecast{std::move(program), target.shape, std::move(answer)};
}

}  // namespace parcast::forecast
