#include "study/bare_price.h"

#include <span>
#include <string>
#include <utility>
#include <vector>

#include <unistd.h>

#include "measure/child_run.h"
#include "measure/ending_signals.h"
#include "record/preloaded_library.h"
#include "study/event_price.h"
#include "study/program_streams.h"
#include "timeline/recording_cost.h"

namespace parcast::study {

namespace {

constexpr int bare_runs = 3;

Result<void> check(record::RecordingRequest const& request, record::RecordedRun const& run) {
    if (request.pretend_cpus)
        return fail(
            make_error(ErrorCode::unasked,
                       "without the recorder nobody pretends CPUs, and the program may make other threads",
                       "Leave out --pretend-cpus or --bare-run, or tell the program its number of threads: "
                       "parcast scale -- PROGRAM {cpus} makes such runs, too."));
    if (request.sample)
        return fail(make_error(ErrorCode::unasked, "samples cost CPU time, too, which is no price of events",
                               "Leave out --sample or --bare-run."));
    if (request.memory_map)
        return fail(make_error(ErrorCode::unasked,
                               "noting the memory map costs CPU time, too, which is no price of events",
                               "Leave out --memory-map or --bare-run."));
    if (run.images.size() != 1 || !run.images.front().problem.empty())
        return fail(
            make_error(ErrorCode::unasked,
                       "the price of an event is known of a program with one process that was recorded",
                       "parcast record without --bare-run uses the recorder's own price."));
    return {};
}

Result<double> bare_cpu_ns(record::RecordingRequest const& request, record::RecordedRun const& run,
                           RepeatableInput const& input, ProgramStreams const& streams) {
    auto const& recorded = run.images.front().timeline.provenance;
    int const own_input = input.open_again();
    streams.clear();
    measure::ChildRequest const child{
        .program = run.program,
        .command = request.command,
        .cpus = {run.cpu},
        .input = own_input < 0 ? streams.nothing() : own_input,
        .output = streams.nothing(),
        .error = streams.messages(),
        .time_limit = Duration{recorded.wall_ns} * 2 + Duration{1'000'000'000},
        .time_limit_name = "the limit of parcast for this run: twice the recorded time and 1 s",
        .environment = record::environment_beside_recording()};
    auto const ended = measure::run_child(child);
    if (own_input >= 0)
        close(own_input);
    if (!ended)
        return pass_on(ended);
    if (measure::ending_signal())
        return fail(make_error(ErrorCode::program_failed, "parcast was interrupted", ""));
    if (ended->exceeded_time_limit || ended->exit_status != run.end.exit_status ||
        ended->death_signal != run.end.death_signal) {
        auto const words = streams.last_words();
        return fail(make_error(ErrorCode::program_failed,
                               "a run without the recorder did not end as the recorded one" +
                                   (words.empty() ? "" : "; it said: " + words),
                               "parcast record without --bare-run uses the recorder's own price."));
    }
    return to_real(ended->processor_time()).ns;
}

}  // namespace

Result<EventPrice> price_by_bare_runs(record::RecordingRequest const& request, record::RecordedRun& run,
                                      RepeatableInput const& input) {
    if (auto const checked = check(request, run); !checked)
        return pass_on(checked);
    auto& image = run.images.front();
    if (!run.raw_images.empty() && run.raw_images.front())
        record::read_events(
            *run.raw_images.front(), image,
            {[](ThreadId, std::span<Event const>) {}, [](ThreadId, std::span<WorkShare const>) {}});
    auto& recorded = image.timeline.provenance;
    if (image.events == 0)
        return fail(make_error(ErrorCode::unasked, "the recording has no event that could have a price", ""));
    ProgramStreams const streams;
    std::vector<double> times_ns;
    for (int i = 0; i < bare_runs; ++i) {
        auto const cpu_ns = bare_cpu_ns(request, run, input, streams);
        if (!cpu_ns)
            return pass_on(cpu_ns);
        times_ns.push_back(*cpu_ns);
    }
    auto price = event_price(
        recorded,
        {priced_events(image.events, recorded), image.recording_share * static_cast<double>(recorded.cpu_ns)},
        std::move(times_ns));
    use(price, recorded);
    return price;
}

}  // namespace parcast::study
