#include "study/measured_binding.h"

#include <optional>
#include <utility>

#include "core/counted.h"
#include "measure/affinity.h"
#include "measure/host_laboratory.h"
#include "record/start.h"
#include "record/thread_binder.h"
#include "study/program_streams.h"

namespace parcast::study {

namespace {

constexpr std::size_t unbound = 0;
constexpr std::size_t bound = 1;

std::vector<double> walls_of(measure::Series const& series) {
    std::vector<double> walls;
    for (auto const& observed : series.runs)
        walls.push_back(to_real(observed.run.wall).ns);
    return walls;
}

// Runs of one round are compared with each other: what drifts meets both.
MeasuredBinding measured_from(std::vector<measure::Series> const& series, double predicted_gain) {
    auto const without = walls_of(series[unbound]);
    auto const with = walls_of(series[bound]);
    std::vector<double> gains;
    for (std::size_t round = 0; round < without.size(); ++round)
        gains.push_back(without[round] > 0 ? 1 - with[round] / without[round] : 0);
    MeasuredBinding measured;
    measured.rounds = static_cast<unsigned>(gains.size());
    measured.disturbed = series[unbound].disturbed + series[bound].disturbed;
    measured.unbound_ns = median_interval(without);
    measured.bound_ns = median_interval(with);
    measured.gain = median_interval(std::move(gains));
    measured.verdict = binding_verdict(predicted_gain, measured.gain);
    return measured;
}

}  // namespace

std::string reason_not_to_measure(std::uint32_t cpus) {
    auto const here = measure::allowed_cpus().size();
    return here >= cpus ? ""
                        : "this machine has " + counted(static_cast<std::int64_t>(here), "CPU") +
                              " for the program, not " + std::to_string(cpus);
}

Result<MeasuredBinding> measure_binding(BindingMeasurement const& measurement, Listener const& tell) {
    auto const program = record::find_host_program(measurement.command.front());
    if (!program)
        return pass_on(program);
    if (auto reason = record::reason_not_to_preload(*program))
        return fail(std::move(*reason));
    auto cpus = measure::allowed_cpus();
    cpus.resize(measurement.cpus);
    auto binder = record::ThreadBinder::create(measurement.plan, *program, cpus);
    if (!binder)
        return pass_on(binder);
    ProgramStreams const streams;
    measure::ChildRequest const request{.program = *program,
                                        .command = measurement.command,
                                        .cpus = cpus,
                                        .input = streams.nothing(),
                                        .output = streams.nothing(),
                                        .error = streams.messages(),
                                        .time_limit = measurement.time_limit};
    std::vector<measure::ChildRequest> variants(2, request);
    variants[bound].environment = binder->environment();
    unsigned made = 0;
    std::optional<std::size_t> last;
    std::vector<Notice> notices;  // of the last bound run
    auto const keep_notices = [&] {
        if (last == bound)
            notices = binder->notices();
    };
    auto const before_run = [&](std::size_t variant) -> Result<void> {
        streams.clear();
        keep_notices();
        binder->start_again();
        last = variant;
        tell({Notice::Kind::progress, "measuring on " + counted(measurement.cpus, "CPU") + ": run " +
                                          std::to_string(++made) +
                                          (variant == bound ? ", bound by the plan" : ", not bound")});
        return {};
    };
    measure::HostLaboratory laboratory(cpus, std::move(variants), before_run);
    auto const series = measure::measure_interleaved(
        2, {.runs = measurement.runs, .further_rounds = measurement.runs}, laboratory);
    if (!series) {
        auto const words = streams.last_words();
        return fail(make_error(
            ErrorCode::program_failed, *program + " " + series.error().message + " while it was measured",
            words.empty() ? "It said nothing on standard error." : "It said: " + words + "."));
    }
    keep_notices();
    auto measured = measured_from(*series, measurement.predicted_gain);
    for (auto const& notice : notices)
        measured.remarks.push_back(notice.message);
    return measured;
}

}  // namespace parcast::study
