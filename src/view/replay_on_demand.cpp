#include "view/replay_on_demand.h"

#include <algorithm>

#include "answer/run_sentences.h"
#include "view/execution.h"

namespace parcast::view {

Machine requested_machine(Machine const& machine, Request request) {
    auto const same = with_cpus(machine, request.cpus);
    return request.scheduler ? with_scheduler(same, *request.scheduler) : same;
}

Result<Bytes> replay(ThreadProgram const& program, Machine const& machine, simulate::Pairing pairing,
                     Request request, std::int64_t shown_cpus) {
    if (request.cpus > most_cpus)
        return fail(ErrorCode::out_of_range, "a page shows at most 65,534 CPUs");
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

}  // namespace parcast::view
