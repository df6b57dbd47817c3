#include "forecast/recording.h"

#include <algorithm>
#include <array>
#include <utility>
#include <variant>
#include <vector>

#include "analysis/bounds.h"
#include "analysis/findings.h"
#include "analysis/limits.h"
#include "analysis/scaling.h"
#include "extract/extract.h"
#include "extract/refills.h"
#include "forecast/crossed_locks.h"
#include "forecast/hot_locks.h"
#include "forecast/known_errors.h"
#include "forecast/measured_check.h"
#include "forecast/measured_memory.h"
#include "forecast/model_assumption.h"
#include "forecast/ranges.h"
#include "forecast/recorded_costs.h"
#include "forecast/recorded_wake_ups.h"
#include "forecast/sensed_memory.h"
#include "forecast/slower_than_recorded.h"
#include "forecast/team_waiting.h"
#include "forecast/thread_plan.h"
#include "forecast/what_if.h"
#include "simulate/changed_machine.h"

namespace parcast::forecast {

namespace {

// The span and the work that bound a speed-up. Threads of OpenMP teams have to be woken where they lack CPUs.
struct BoundedBy {
    Span span;
    Span span_asleep;
    Duration work;
    Duration team_waking{0};  // in the work
    std::uint32_t team_cpus =
        0;  // from so many CPUs on each thread of a team has one, and spins; 0: none does

    // `one`: without costs; `with_costs`: what the speed-up refers to.
    SpeedUpBounds on(std::uint32_t cpus, Duration one, Duration with_costs,
                     std::vector<double> const& speeds) const {
        if (cpus < team_cpus)
            return analysis::speed_up_bounds(one, work, span_asleep, cpus, speeds);
        // Where teams spin, nobody is woken and no thread is switched for another. One CPU has to do both, so
        // that these may do more than as many times as much.
        auto const awake = one - team_waking;
        auto const bounds = analysis::speed_up_bounds(awake, work - team_waking, span, cpus, speeds);
        if (awake.ns <= 0 || team_cpus == 0)
            return bounds;
        double const whole = to_real(awake).ns;
        return {bounds.lower * to_real(one).ns / whole, bounds.upper * to_real(with_costs).ns / whole};
    }
};

Span span_of(Run const& unbounded) {
    return {unbounded.accounts.completion, unbounded.accounts.path_busy};
}

BoundedBy bounded_by(ThreadProgram const& program, Replays const& replays, Duration work) {
    BoundedBy by{.span = span_of(replays.unbounded), .span_asleep = span_of(replays.unbounded), .work = work};
    if (!replays.asleep)
        return by;
    auto const members = team_members(program);
    by.span_asleep = span_of(*replays.asleep);
    by.team_waking = Duration{team_waking_ns(program)};
    by.team_cpus = static_cast<std::uint32_t>(std::ranges::count(members, true));
    return by;
}

// What the replay on one CPU takes without switching and spinning, which the bounds do without, too. No
// schedule takes less than the work, or than the critical path.
Duration ideal_on_one(Accounts const& one, RecordingBasis const& basis) {
    return std::max({one.completion - one.overhead - one.spinning, basis.work, basis.span.length});
}

Row row_of(Run run, RecordingBasis const& basis, BoundedBy const& by, std::optional<Duration> ideal_on_one) {
    Row row;
    row.cpus = run.accounts.cpus;
    row.run = std::move(run);
    if (row.run.deadlock)
        return row;
    auto const& accounts = row.run.accounts;
    row.time_ns = to_real(accounts.completion).ns;
    if (basis.time_on_one) {
        // A program without any time is as fast on every machine.
        row.speed_up = accounts.completion.ns == 0 ? 1.0 : to_real(*basis.time_on_one).ns / row.time_ns;
        row.efficiency = row.speed_up / static_cast<double>(row.cpus);
    }
    if (ideal_on_one) {
        row.bounds = by.on(row.cpus, *ideal_on_one, *basis.time_on_one, basis.machine.speeds);
        if (basis.longest_thread) {
            BoundedBy longest = by;
            longest.span = longest.span_asleep = {*basis.longest_thread, *basis.longest_thread};
            row.bounds->upper =
                longest.on(row.cpus, *ideal_on_one, *basis.time_on_one, basis.machine.speeds).upper;
        }
    }
    row.limits = analysis::limits(accounts, basis.catalogue);
    row.busiest = analysis::busiest_thread(accounts);
    return row;
}

// Judged when the answer is whole (check_measurements).
void add_measured(Provenance const& recorded, TargetMachine const& target, RecordingBasis& basis) {
    for (auto& measured : measured_speed_ups(recorded)) {
        bool const gives_memory = target.measured_growth && target.measured_growth->cpus == measured.cpus;
        basis.measured.push_back({.measured = std::move(measured),
                                  .gives_memory = gives_memory,
                                  .predicted_range = {},
                                  .reason = reason_not_to_compare(target, recorded).value_or("")});
    }
}

// What another model says for the rows.
void add_beside(ModelRuns model, std::vector<Row>& rows) {
    for (Run& run : model.runs)
        if (auto const row = std::ranges::find(rows, run.accounts.cpus, &Row::cpus); row != rows.end())
            row->models.push_back(
                {name_of(model.pairing), to_real(run.accounts.completion).ns, std::move(run.deadlock)});
}

// The work of the thread that has most of it: no order of the threads makes the program faster than that.
Duration longest_thread(ThreadProgram const& program) {
    std::int64_t longest = 0;
    for (auto const& list : program.lists) {
        std::int64_t work = 0;
        for (Operation const& operation : list)
            work += operation.work_ns;
        longest = std::max(longest, work);
    }
    return {longest};
}

Scaling scaling_of(std::vector<Row> const& rows) {
    std::vector<analysis::SpeedUpAt> points;
    for (auto const& row : rows)
        if (!row.run.deadlock)
            points.push_back({row.cpus, row.speed_up});
    return analysis::scaling(points);
}

// The replays that the answer needs: one CPU first, which the speed-ups refer to, then those asked for, and
// those that measurements are compared with.
std::vector<Machine> machines_to_replay(Machine const& shape, std::vector<std::uint32_t> counts,
                                        std::vector<std::uint32_t> const& to_check) {
    counts.insert(counts.end(), to_check.begin(), to_check.end());
    std::ranges::sort(counts);
    auto const twice = std::ranges::unique(counts);
    counts.erase(twice.begin(), twice.end());
    std::vector<Machine> machines{with_cpus(shape, 1)};
    for (std::uint32_t const cpus : counts)
        if (cpus != 1)
            machines.push_back(with_cpus(shape, cpus));
    return machines;
}

// A replay of what parcast itself made does not fail.
template <class T>
tl::unexpected<Error> report_bug(Result<T> const& failed) {
    return fail(
        with_code(ErrorCode::bug, failed.error(), "Please report it: the program comes from parcast."));
}

ReplayModel one_model(ReplayModel asked) {
    return asked == ReplayModel::all ? ReplayModel::automatic : asked;
}

// Takes out of the work what the threads' turns on the one CPU cost, that share of it, as evenly over the
// turns as the replay there takes them. What was taken out.
Result<Duration> price_turns(ThreadProgram& program, Machine const& machine, Question const& question) {
    double const share = question.replay.turn_share;
    auto const* const linux_scheduler = std::get_if<LinuxScheduler>(&machine.scheduler);
    if (share <= 0 || !linux_scheduler)
        return Duration{0};
    std::array const one{with_cpus(machine, 1)};
    auto replays = replay_under(one_model(question.replay.model), program, one, question.workers);
    if (!replays)
        return pass_on(replays);
    std::vector<std::int64_t> turns;
    std::int64_t all = 0;
    for (ThreadAccount const& thread : replays->runs.front().accounts.threads) {
        turns.push_back(thread.turns);
        all += thread.turns;
    }
    if (all == 0)
        return Duration{0};
    auto price =
        round_to_duration({share * static_cast<double>(work_ns(program)) / static_cast<double>(all)});
    if (!price)
        return pass_on(price);
    // The rest of a slice is for the work.
    Duration const most{linux_scheduler->slice.ns / 2};
    return extract::take_out_refills(program, turns, std::min(*price, most));
}

// The target with what shared memory takes from the program there: as it was measured, else as it was sensed.
Result<TargetMachine> with_known_memory(TargetMachine const& target, Provenance const& recorded,
                                        ThreadProgram& program, Question const& question) {
    auto const measured = measured_speed_ups(recorded);
    bool const may_grow = !measured.empty() && !reason_not_to_compare(target, recorded) &&
                          may_have_memory_growth(target, measured.back());
    if (!may_grow)
        return with_sensed_memory(target, recorded);
    std::array const machines{with_cpus(target.shape, 1), with_cpus(target.shape, measured.back().cpus)};
    auto const replays = replay_under(one_model(question.replay.model), program, machines, question.workers);
    if (!replays)
        return pass_on(replays);
    auto const& runs = replays->runs;
    bool const are_whole = !runs.front().deadlock && !runs.back().deadlock;
    auto const growth = are_whole
                            ? memory_growth(measured.back(), runs.front().accounts, runs.back().accounts)
                            : std::nullopt;
    return growth ? with_measured_memory(target, *growth)
                  : Result<TargetMachine>(with_sensed_memory(target, recorded));
}

// What the answer tells of the program and the machine, without any replay.
Answer with_program(Answer answer, ThreadProgram const& program, TargetMachine const& target,
                    std::span<std::uint32_t const> cpus) {
    auto& basis = answer.recording();
    basis.machine = machine_basis(target, cpus.empty() ? 1 : cpus.back());
    basis.work = Duration{work_ns(program)};
    basis.catalogue = program.catalogue;
    return answer;
}

Result<void> follow_plan(TargetMachine const& target, Question const& question, ThreadProgram& program) {
    return target.plan ? apply_plan(*target.plan, target.plan_file, question.cpus, program) : Result<void>();
}

// The replays of the question, and their answer.

Result<Forecast> replayed_forecast(Answer begun, ThreadProgram program, TargetMachine const& target,
                                   Question const& question) {
    auto const turns = price_turns(program, target.shape, question);
    if (!turns)
        return pass_on(turns);
    auto known = with_program(begun, program, target, question.cpus);
    if (!withholds_conclusions(known.findings))
        known.scaling.emplace();
    question.listener.program_known(program, target.shape, known);
    auto const machines = machines_to_replay(target.shape, question.cpus,
                                             counts_to_check(target, begun.recording().provenance));
    auto replays = replay_under(question.replay.model, program, machines, question.workers,
                                {question.detail, question.cpus, question.most_intervals, question.listener});
    if (!replays)
        return pass_on(replays);
    program.other.reset();  // for the ordered model, which has had its turn
    auto const pairing = replays->pairing;
    auto answer = answer_of(std::move(begun), program, target, question.cpus, std::move(*replays));
    answer.recording().turns = *turns;
    return Forecast{std::move(program), target.shape, std::move(answer), pairing};
}

// Also where the replay has them work one after the other: on several CPUs they may not.
bool has_several_threads(ThreadProgram const& program) {
    auto const works = [](OperationList const& list) {
        return std::ranges::any_of(list, [](Operation const& each) { return each.work_ns > 0; });
    };
    return std::ranges::count_if(program.lists, works) > 1;
}

}  // namespace

Answer begin_answer(std::string const& file, Timeline const& recorded) {
    Answer answer;
    answer.file = file;
    answer.recording().provenance = recorded.provenance;
    auto const survey = analysis::survey(recorded);
    answer.findings = analysis::findings(recorded, survey);
    answer.recording().hand_overs = recorded_hand_overs(recorded.catalogue, survey.profile.objects);
    return answer;
}

Answer answer_of(Answer answer, ThreadProgram const& program, TargetMachine const& target,
                 std::span<std::uint32_t const> cpus, Replays replays) {
    answer = with_program(std::move(answer), program, target, cpus);
    auto& basis = answer.recording();
    auto const crossed = crossed_locks(replays.runs, basis.catalogue);
    BoundedBy const by = bounded_by(program, replays, basis.work);
    basis.span = by.span;
    basis.model = name_of(replays.pairing);
    for (std::size_t object = 0; object < program.objects.size(); ++object)
        if (program.objects[object].pairs_as_recorded)
            basis.paired.push_back(ObjectId(object));
    for (auto& [pairing, run] : replays.abandoned)
        basis.abandoned.push_back({name_of(pairing), run.accounts.cpus, std::move(*run.deadlock)});
    if (auto assumption = model_assumption(basis))
        answer.assumptions.push_back(std::move(*assumption));
    answer.assumptions.insert(answer.assumptions.end(), program.assumptions.begin(),
                              program.assumptions.end());
    auto const* const recorded = basis.provenance ? &*basis.provenance : nullptr;
    if (auto assumption = team_waiting_assumption(program, target, recorded))
        answer.assumptions.push_back(std::move(*assumption));
    if (auto assumption = wake_up_assumption(target, recorded))
        answer.assumptions.push_back(std::move(*assumption));
    if (auto assumption = sensed_memory_assumption(target, recorded))
        answer.assumptions.push_back(std::move(*assumption));
    if (target.measured_growth)
        answer.assumptions.push_back(measured_memory_assumption(*target.measured_growth));
    if (replays.pairing == simulate::Pairing::ordered)
        basis.longest_thread = longest_thread(program);
    if (auto const& one = replays.runs.front(); !one.deadlock) {
        basis.time_on_one = one.accounts.completion;
        basis.idle_on_one = one.accounts.idle.total();
    }
    // Bounds are of the span, which there is not where the replay with a CPU for every thread deadlocks.
    bool const has_bounds = basis.time_on_one && !replays.unbounded.deadlock;
    std::optional<Duration> const one =
        has_bounds ? std::optional(ideal_on_one(replays.runs.front().accounts, basis)) : std::nullopt;
    auto const to_check = counts_to_check(target, basis.provenance);
    for (Run& run : replays.runs)
        if (std::ranges::binary_search(cpus, run.accounts.cpus))
            answer.rows.push_back(row_of(std::move(run), basis, by, one));
        else if (std::ranges::binary_search(to_check, run.accounts.cpus))
            basis.measured_rows.push_back(row_of(std::move(run), basis, by, one));
    // Those of a program before a change are of its rows.
    std::erase_if(answer.findings, [](auto const& each) {
        return each.kind == FindingKind::hot_locks || each.kind == FindingKind::recorded_wake_ups ||
               each.kind == FindingKind::crossed_locks;
    });
    for (auto found :
         {hot_locks(answer.rows, basis, target.shape), recorded_wake_ups(answer.rows, basis), crossed})
        if (found)
            answer.findings.push_back(std::move(*found));
    if (recorded != nullptr)
        add_measured(*recorded, target, basis);
    if (recorded != nullptr && recorded->measured.empty() && has_several_threads(program) &&
        std::ranges::any_of(cpus, [](std::uint32_t count) { return count > 1; }))
        basis.machine.notes.emplace_back(not_measured_note);
    for (ModelRuns& model : replays.beside)
        add_beside(std::move(model), answer.rows);
    bool const is_in_recorded_order = replays.pairing == simulate::Pairing::ordered;
    if (!is_in_recorded_order && !withholds_conclusions(answer.findings))
        answer.scaling = scaling_of(answer.rows);
    return answer;
}

Result<Forecast> forecast_recording(std::string const& file, Timeline recorded, TargetMachine const& asked,
                                    Question const& question) {
    Answer begun = begin_answer(file, recorded);
    auto const waiting =
        with_recorded_wake_ups(with_recorded_waiting(asked, recorded.provenance), recorded.provenance);
    Duration const waited = waiting_of_the_program(recorded);
    extract::ExtractionOptions options;
    options.assignment = question.replay.tasks == HandedOutWork::recorded ? extract::Assignment::recorded
                                                                          : extract::Assignment::anew;
    auto program = extract::program_from(std::move(recorded), options);
    if (!program)
        return fail(with_code(ErrorCode::inconsistent, program.error(),
                              "What is in the recording: parcast info " + file));
    analysis::add_polling_findings(*program, begun.findings);
    if (auto const planned = follow_plan(waiting, question, *program); !planned)
        return pass_on(planned);
    auto const target = with_known_memory(waiting, *begun.recording().provenance, *program, question);
    if (!target)
        return pass_on(target);
    auto forecast = replayed_forecast(std::move(begun), std::move(*program), *target, question);
    if (!forecast)
        return report_bug(forecast);
    auto& answer = forecast->answer;
    if (auto found = slower_than_recorded(answer.recording(), waited);
        found && !reason_not_to_compare(*target, *answer.recording().provenance))
        answer.findings.push_back(std::move(*found));
    return with_what_if(std::move(*forecast), question);
}

Result<Forecast> forecast_threads(std::string const& file, ThreadProgram program, TargetMachine const& target,
                                  Question const& question) {
    Answer begun;
    begun.file = file;
    begun.recording().name = program.name;
    if (auto const planned = follow_plan(target, question, program); !planned)
        return pass_on(planned);

    auto forecast = replayed_forecast(std::move(begun), std::move(program), target, question);
    return forecast ? with_what_if(std::move(*forecast), question) : std::move(forecast);
}

Result<Forecast> forecast_changed(Forecast const& before, Scenario const& scenario,
                                  TargetMachine const& asked, Question const& question) {
    auto program = changed(before.threads(), scenario);
    if (!program)
        return pass_on(program);
    Answer begun;
    begun.file = before.answer.file;
    begun.findings = before.answer.findings;
    begun.options = before.answer.options;
    begun.recording().provenance = before.answer.recording().provenance;
    begun.recording().name = before.answer.recording().name;
    auto target = asked;
    if (auto& recorded = begun.recording().provenance) {
        target = with_sensed_memory(with_recorded_waiting(asked, *recorded), *recorded);
        recorded->measured.clear();  // that was before the change
    }
    // With the rates and their deviations.
    target.speed_deviations = before.answer.recording().machine.speed_deviations;
    target.measured_growth = before.answer.recording().machine.measured_growth;
    target.shape = changed(before.machine, scenario);
    target.plan.reset();  // the program has it already
    Question same = question;
    same.replay.turn_share = 0;  // taken out already
    auto forecast = replayed_forecast(std::move(begun), std::move(*program), target, same);
    if (!forecast || !question.ranges.is_asked)
        return forecast;
    if (auto const added = add_ranges(*forecast, question.ranges, question.workers, question.listener);
        !added)
        return pass_on(added);
    return forecast;
}

}  // namespace parcast::forecast
