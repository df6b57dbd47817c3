#include "cli/prediction.h"

#include <algorithm>
#include <array>
#include <utility>
#include <variant>
#include <vector>

#include "cli/exit_status.h"
#include "extract/extract.h"
#include "extract/refills.h"

namespace parcast::cli {

namespace {

report::PredictedRun predicted_run(Run const& run, report::Prediction const& whole) {
    report::PredictedRun predicted;
    predicted.accounts = run.accounts;
    predicted.cpus = run.accounts.cpus;
    if (run.deadlock) {
        predicted.deadlock = run.deadlock;
        return predicted;
    }
    if (whole.time_on_one) {
        Duration const one = *whole.time_on_one;
        Duration const time = run.accounts.completion;
        // A program without any time is as fast on every machine.
        predicted.speed_up = time.ns == 0 ? 1.0 : to_real(one).ns / to_real(time).ns;
        predicted.efficiency = predicted.speed_up / static_cast<double>(predicted.cpus);
        predicted.bounds =
            analysis::speed_up_bounds(one, whole.work, whole.span, predicted.cpus, whole.speeds);
    }
    predicted.limits = analysis::limits(run.accounts, whole.catalogue);
    predicted.busiest = analysis::busiest_thread(run.accounts);
    return predicted;
}

analysis::Scaling scaling_of(std::vector<report::PredictedRun> const& runs) {
    std::vector<analysis::SpeedUpAt> points;
    for (auto const& run : runs)
        if (!run.deadlock)
            points.push_back({run.cpus, run.speed_up});
    return analysis::scaling(points);
}

// The replays that the answer needs: one CPU first, which the speed-ups refer to, then those asked for.
std::vector<Machine> machines_to_replay(TargetMachine const& target) {
    std::vector<Machine> machines{with_cpus(target.shape, 1)};
    for (std::uint32_t const cpus : target.cpus)
        if (cpus != 1)
            machines.push_back(with_cpus(target.shape, cpus));
    return machines;
}

Error refusal_of_bug(Error const& error) {
    return with_code(ErrorCode::bug, error, "Please report it: the program comes from parcast.");
}

// Takes out of the work what the threads' turns on the one CPU cost, that share of it, as evenly over the
// turns as the replay there takes them. What was taken out.
Result<Duration> price_turns(ThreadProgram& program, TargetMachine const& target, ModelName model,
                             unsigned workers, double share) {
    auto const* const linux_scheduler = std::get_if<LinuxScheduler>(&target.shape.scheduler);
    if (share <= 0 || !linux_scheduler)
        return Duration{0};
    std::array const one{with_cpus(target.shape, 1)};
    auto replays = replay_under(model, program, one, workers);
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

}  // namespace

RecordingSummary summary_of(std::string const& file, Timeline const& recorded) {
    return {file, recorded.provenance, analysis::findings(recorded)};
}

report::Prediction prediction_of(RecordingSummary recorded, ThreadProgram const& program,
                                 TargetMachine const& target, Replays const& replays) {
    report::Prediction prediction;
    prediction.file = std::move(recorded.file);
    prediction.provenance = std::move(recorded.provenance);
    prediction.findings = std::move(recorded.findings);
    prediction.machine = target.shape.name;
    prediction.scheduler = name_of(target.shape.scheduler);
    prediction.lock_policy = target.shape.lock_policy == LockPolicy::barging ? "barging" : "hand_off";
    prediction.machine_parameters = parameters_of(target.shape);
    if (target.file) {
        auto const measured = target.shape.calibration.value_or(Calibration{});
        prediction.machine_source = report::MachineSource{*target.file, measured.host, measured.date};
    }
    prediction.speeds = speeds(target.shape.rates);
    prediction.memory_share = target.shape.rates.memory_share;
    prediction.machine_notes = notes_on(target);
    prediction.work = Duration{work_ns(program)};
    prediction.span = {replays.unbounded.accounts.completion, replays.unbounded.accounts.path_busy};
    prediction.assumptions = program.assumptions;
    prediction.catalogue = program.catalogue;
    prediction.model = replays.pairing == simulate::Pairing::any ? "direct" : "strict";
    for (std::size_t object = 0; object < program.objects.size(); ++object)
        if (program.objects[object].pairs_as_recorded)
            prediction.paired.push_back(ObjectId(object));
    for (Run const& run : replays.abandoned)
        prediction.abandoned.push_back(predicted_run(run, prediction));
    if (!replays.runs.front().deadlock)
        prediction.time_on_one = replays.runs.front().accounts.completion;
    for (Run const& run : replays.runs) {
        bool const asked_for = std::binary_search(target.cpus.begin(), target.cpus.end(), run.accounts.cpus);
        if (asked_for)
            prediction.runs.push_back(predicted_run(run, prediction));
    }
    prediction.scaling = scaling_of(prediction.runs);
    return prediction;
}

Result<PredictedProgram> predict_program(std::string const& file, Timeline recorded,
                                         TargetMachine const& target, ModelName model, unsigned workers,
                                         TasksName tasks, double turn_share) {
    RecordingSummary summary = summary_of(file, recorded);
    extract::Options options;
    options.assignment =
        tasks == TasksName::recorded ? extract::Assignment::recorded : extract::Assignment::anew;
    auto program = extract::program_from(std::move(recorded), options);
    if (!program)
        return fail(with_advice(program.error(), "What is in the recording: parcast info " + file));
    auto const turns = price_turns(*program, target, model, workers, turn_share);
    if (!turns)
        return tl::unexpected(refusal_of_bug(turns.error()));
    auto const machines = machines_to_replay(target);
    auto const replays = replay_under(model, *program, machines, workers);
    if (!replays)
        return tl::unexpected(refusal_of_bug(replays.error()));
    auto prediction = prediction_of(std::move(summary), *program, target, *replays);
    prediction.turns = *turns;
    return PredictedProgram{std::move(*program), target.shape, replays->pairing, std::move(prediction)};
}

Result<report::Prediction> predict_recording(std::string const& file, Timeline recorded,
                                             TargetMachine const& target, ModelName model, unsigned workers,
                                             TasksName tasks, double turn_share) {
    auto predicted = predict_program(file, std::move(recorded), target, model, workers, tasks, turn_share);
    if (!predicted)
        return pass_on(predicted);
    return std::move(predicted->prediction);
}

}  // namespace parcast::cli
