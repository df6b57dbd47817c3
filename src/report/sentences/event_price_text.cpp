#include "report/sentences/event_price_text.h"

#include <cmath>

#include <fmt/core.h>

#include "report/format.h"

namespace parcast::report {

namespace {

std::string cpu_text(double ns) {
    return time_text(Duration{std::llround(ns)});
}

}  // namespace

std::string event_price_text(ScaledCount const& count) {
    if (!count.event_price)
        return {};
    EventPrice const& price = *count.event_price;
    if (!price.bare_cpu_ns)
        return "what recording an event costs here was not measured: a run for it " + price.problem;
    std::string const measured = fmt::format(
        "recording an event cost {:.1f} ns, by unrecorded runs of {} ({} - {}) of CPU time; {:.1f} ns by the "
        "recorder's "
        "own measurement, which knows nothing of this program",
        price.ns, cpu_text(price.bare_cpu_ns->median), cpu_text(price.bare_cpu_ns->least),
        cpu_text(price.bare_cpu_ns->most), price.recorder_ns);
    return price.is_used
               ? measured + ": the former is taken out of the work"
               : measured + ": they are too far apart to be prices of events, and the latter is taken out";
}

}  // namespace parcast::report
