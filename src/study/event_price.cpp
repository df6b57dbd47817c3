#include "study/event_price.h"

#include <utility>

#include "analysis/findings.h"
#include "study/counts.h"
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

EventPrice event_price(Provenance const& recorded, RecordedCost const& cost,
                       std::vector<double> bare_cpu_ns) {
    EventPrice price{.recorder_ns = recorded.event_cost_ns};
    price.bare_cpu_ns = spread_of(std::move(bare_cpu_ns));
    double const took_ns = static_cast<double>(recorded.cpu_ns) - price.bare_cpu_ns->least;
    price.ns = recorded.event_cost_ns + (took_ns - cost.cost_ns) / cost.events;
    price.is_used = is_plausible(price);
    return price;
}

void use(EventPrice const& price, Provenance& recorded) {
    if (!price.is_used)
        return;
    Spread const& bare_ns = *price.bare_cpu_ns;
    if (price.recorder_ns > 0)
        recorded.unmeasured_cost_ns *= price.ns / price.recorder_ns;
    recorded.event_cost_ns = price.ns;
    recorded.event_cost_uncertainty =
        (bare_ns.most - bare_ns.least) / (static_cast<double>(recorded.cpu_ns) - bare_ns.least);
}

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
    return event_price(recorded.provenance,
                       {priced_events(static_cast<std::int64_t>(event_count(recorded)), recorded.provenance),
                        recording_cost(recorded)},
                       std::move(times_ns));
}

}  // namespace parcast::study
