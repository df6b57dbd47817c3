#include "view/replay_on_demand.h"

#include <algorithm>

#include "answer/run_sentences.h"
#include "program/work_change.h"
#include "view/execution.h"

namespace parcast::view {

Machine requested_machine(Machine const& machine, Request const& request) {
    auto const same = with_cpus(machine, request.cpus);
    return request.scheduler ? with_scheduler(same, *request.scheduler) : same;
}

Result<Bytes> replay(ThreadProgram const& program, Machine const& machine, simulate::Pairing pairing,
                     Request const& request, std::int64_t shown_cpus) {
    if (request.cpus > most_cpus)
        return fail(ErrorCode::out_of_range, "a page shows at most 65,534 CPUs");
    if (!request.scenario.empty()) {
        auto const after = changed_by(program, request.scenario);
        auto unchanged = request;
        unchanged.scenario.clear();
        return after ? replay(*after, machine, pairing, unchanged, shown_cpus) : pass_on(after);
    }
    auto const target = requested_machine(machine, request);
    auto const options = request.detail == Detail::timeline ? options_for_view(program, pairing)
                                                            : simulate::ReplayOptions{.pairing = pairing};
    auto const run = simulate::run(program, target, options);
    if (!run)
        return pass_on(run);
    return execution_bytes(*run, program, target, pairing,
                           meaning_of_replays(target, pairing, {.shown_cpus = shown_cpus}));
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

Result<ThreadProgram> changed_by(ThreadProgram const& program, std::string_view scenario) {
    auto const parsed = parse_scenario(scenario);
    return parsed ? changed(program, *parsed) : pass_on(parsed);
}

}  // namespace parcast::view
