#include "view/replay_on_demand.h"

#include <algorithm>
#include <utility>

#include "answer/run_sentences.h"
#include "program/work_change.h"
#include "simulate/changed_machine.h"
#include "view/execution.h"

namespace parcast::view {

namespace {

Result<Bytes> replay_on(Machine const& machine, ThreadProgram const& program, simulate::Pairing pairing,
                        Detail detail, std::int64_t shown_cpus) {
    auto const options = detail == Detail::timeline ? options_for_view(program, pairing)
                                                    : simulate::ReplayOptions{.pairing = pairing};
    auto const run = simulate::run(program, machine, options);
    if (!run)
        return pass_on(run);
    return execution_bytes(*run, program, machine, pairing,
                           meaning_of_replays(machine, pairing, {.shown_cpus = shown_cpus}));
}

}  // namespace

Machine requested_machine(Machine const& machine, Request const& request) {
    auto const same = with_cpus(machine, request.cpus);
    return request.scheduler ? with_scheduler(same, *request.scheduler) : same;
}

Result<Bytes> replay(ThreadProgram const& program, Machine const& machine, simulate::Pairing pairing,
                     Request const& request, std::int64_t shown_cpus) {
    if (request.cpus > most_cpus)
        return fail(ErrorCode::out_of_range, "a page shows at most 65,534 CPUs");
    auto const target = requested_machine(machine, request);
    if (request.scenario.empty())
        return replay_on(target, program, pairing, request.detail, shown_cpus);
    auto const after = changed_by(program, target, request.scenario);
    return after ? replay_on(after->machine, after->program, pairing, request.detail, shown_cpus)
                 : pass_on(after);
}

std::string extent_sentence(std::span<analysis::SpeedUpAt const> points) {
    if (points.empty() || points.back().cpus <= 1)
        return {};
    auto const scaling = analysis::scaling(points);
    auto const beyond =
        std::ranges::find(points, scaling.first_beyond.value_or(1), &analysis::SpeedUpAt::cpus);
    return extent_text(scaling, beyond == points.end() ? 1 : beyond->speed_up);
}

std::string error_sentences(Error const& error) {
    return describe(error) + "." + (error.advice.empty() ? "" : " " + error.advice) +
           (error.advice.empty() || error.advice.ends_with('.') ? "" : ".");
}

Result<ChangedProgram> changed_by(ThreadProgram const& program, Machine const& machine,
                                  std::string_view scenario) {
    auto const parsed = parse_scenario(scenario);
    if (!parsed)
        return pass_on(parsed);
    auto after = changed(program, *parsed);
    return after ? Result<ChangedProgram>({std::move(*after), changed(machine, *parsed)}) : pass_on(after);
}

}  // namespace parcast::view
