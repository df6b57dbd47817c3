#include "study/repeated_recording.h"

#include <algorithm>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <unistd.h>

#include "study/program_streams.h"

namespace parcast::study {

namespace {

// Of the main process, or of the whole program where that has no recording.
Disturbance disturbance_of(record::RecordedRun const& run) {
    bool const has_main = !run.images.empty() && run.images.front().is_main;
    std::int64_t const cpu_ns = has_main ? run.images.front().timeline.provenance.cpu_ns : run.end.cpu_ns;
    return {run.end.others_share.value_or(1), static_cast<double>(cpu_ns)};
}

Result<record::RecordedRun> record_again(record::RecordingRequest request, record::RecordedRun const& first,
                                         RepeatableInput const& input, ProgramStreams const& streams) {
    int const own_input = input.open_again();
    streams.clear();
    request.cpu = first.cpu;
    request.streams = {own_input < 0 ? streams.nothing() : own_input, streams.nothing(), streams.messages()};
    request.tell = [](Notice const&) {};  // its warnings would only come again
    request.signals = record::SignalsAreFor::parcast;
    auto run = record::run_recorded(request);
    if (own_input >= 0)
        close(own_input);
    if (!run || (run->end.exit_status == first.end.exit_status &&
                 run->end.death_signal == first.end.death_signal && !run->images.empty()))
        return run;
    auto const words = streams.last_words();
    return fail(make_error(ErrorCode::program_failed,
                           "it did not end as the first one" + (words.empty() ? "" : "; it said: " + words),
                           "The recordings before it are used."));
}

void widen_price(std::span<Disturbance const> recordings, record::RecordedRun& run) {
    auto& image = run.images.front();
    if (recordings.size() < 2 || !image.problem.empty() || run.raw_images.empty() || !run.raw_images.front())
        return;
    record::read_events(
        *run.raw_images.front(), image,
        {[](ThreadId, std::span<Event const>) {}, [](ThreadId, std::span<WorkShare const>) {}});
    auto& recorded = image.timeline.provenance;
    double const cost_ns = image.recording_share * static_cast<double>(recorded.cpu_ns);
    recorded.event_cost_uncertainty =
        std::max(recorded.event_cost_uncertainty, cost_uncertainty(recordings, cost_ns).value_or(0));
}

}  // namespace

std::size_t least_disturbed(std::span<Disturbance const> recordings) {
    auto const rank = [](Disturbance const& each) { return std::tuple(each.others_share, each.cpu_ns); };
    return static_cast<std::size_t>(std::ranges::min_element(recordings, {}, rank) - recordings.begin());
}

std::optional<double> cost_uncertainty(std::span<Disturbance const> recordings, double cost_ns) {
    if (recordings.size() < 2 || !(cost_ns > 0))
        return std::nullopt;
    auto const [least, most] = std::ranges::minmax(recordings, {}, &Disturbance::cpu_ns);
    return (most.cpu_ns - least.cpu_ns) / cost_ns;
}

Result<record::RecordedRun> record_repeatedly(record::RecordingRequest const& request, unsigned times,
                                              RepeatableInput const& input) {
    auto first = record::run_recorded(request);
    if (!first || first->images.empty())
        return first;
    auto kept = std::move(*first);
    std::vector<Disturbance> recordings{disturbance_of(kept)};
    ProgramStreams const streams;
    while (recordings.size() < times) {
        std::string const number = std::to_string(recordings.size() + 1) + " of " + std::to_string(times);
        request.tell({Notice::Kind::progress, "recording " + number});
        auto run = record_again(request, kept, input, streams);
        if (!run) {
            request.tell({Notice::Kind::warning,
                          "recording " + number + " is missing: " + describe(run.error()),
                          run.error().advice});
            break;
        }
        recordings.push_back(disturbance_of(*run));
        if (least_disturbed(recordings) + 1 == recordings.size())
            kept = std::move(*run);
    }
    widen_price(recordings, kept);
    kept.recordings = recordings.size();
    return kept;
}

}  // namespace parcast::study
