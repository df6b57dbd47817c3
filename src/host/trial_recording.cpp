#include "host/host_facts.h"
#include "record/run.h"

namespace parcast::host {

Result<TrialRecording> trial_recording(std::string const& parcast_version) {
    record::RecordingRequest request;
    request.command = {"/bin/true"};
    request.parcast_version = parcast_version;
    auto const run = record::run_recorded(request);
    if (!run)
        return pass_on(run);
    if (run->images.empty() || !run->images.front().problem.empty())
        return fail(make_error(
            ErrorCode::not_recorded,
            run->images.empty() ? "the recorder did not start in the program" : run->images.front().problem,
            "A sandbox may forbid it: try outside of the container"));
    auto const& provenance = run->images.front().timeline.provenance;
    return TrialRecording{provenance.clock, provenance.event_cost_ns};
}

}  // namespace parcast::host
