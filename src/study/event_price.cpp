#include "study/counts.h"

#include "analysis/findings.h"
#include "study/placeholder.h"
#include "timeline/recording_cost.h"

namespace parcast::study {

namespace {

constexpr unsigned bare_runs = 3;

// What the price may be beside the recorder's own: beyond that it is something else that differs between the
// runs.
constexpr double most_ratio = 2;

bool is_plausible(EventPrice const& price) {
    return price.ns <= price.recorder_ns * most_ratio && price.ns >= price.recorder_ns / most_ratio;
}

}  // namespace

std::optional<EventPrice> measure_event_price(ScaleSetting const& setting, std::uint32_t cpus,
                                              Timeline const& recorded) {
    if (!setting.question.bare_runs || !has_placeholder(setting.question.command) ||
        recording_share(recorded) < analysis::notable_recording_cost) {
        return std::nullopt;
    }
    auto protocol = bare_protocol(setting);
    protocol.runs = bare_runs;
    auto laboratory =
        bare_laboratory(setting, cpus, recorded, {std::nullopt}, "measuring the price of an event");
    auto const series = measure::measure_interleaved(1, protocol, laboratory);
    EventPrice price{.recorder_ns = recorded.provenance.event_cost_ns};
    if (!series) {
        price.problem = series.error().message;
        return price;
    }
    std::vector<double> times_ns;
    for (measure::ChildRun const& run : runs_of(series->front()))
        times_ns.push_back(to_real(run.processor_time()).ns);
    price.bare_cpu_ns = spread_of(std::move(times_ns));
    price.ns = event_cost_beside(recorded, price.bare_cpu_ns->least);
    price.is_used = is_plausible(price);
    return price;
}

}  // namespace parcast::study
