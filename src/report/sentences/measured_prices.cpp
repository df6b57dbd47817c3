#include "report/sentences/sentences.h"

#include <cmath>

#include <fmt/core.h>

#include "report/format.h"

namespace parcast::report {

namespace {

std::string price_text(double ns) {
    return time_text(Duration{std::llround(ns)});
}

std::string runs_text(Turns const& turns) {
    return fmt::format("{} of unrecorded runs, with the usual time slices and with {}",
                       counted(turns.pairs, "pair"), time_text(turns.slice));
}

std::string priced_text(Turns const& turns, Duration charged) {
    return fmt::format(
        "threads that take turns on the one CPU refill its caches: {} of the CPU time, {} ({} - {}) a turn, "
        "by "
        "{}. The prediction charges {} for it, and nothing to a thread that has a CPU for itself",
        percent_text(turns.share->median), price_text(turns.price_ns->median),
        price_text(turns.price_ns->least), price_text(turns.price_ns->most), runs_text(turns),
        time_text(charged));
}

}  // namespace

std::string event_price_text(EventPrice const& price) {
    if (!price.bare_cpu_ns)
        return "what recording an event costs here was not measured: a run for it " + price.problem;
    std::string const measured = fmt::format(
        "recording an event cost {:.1f} ns, by unrecorded runs of {} ({} - {}) of CPU time; {:.1f} ns by the "
        "recorder's "
        "own measurement, which knows nothing of this program",
        price.ns, price_text(price.bare_cpu_ns->median), price_text(price.bare_cpu_ns->least),
        price_text(price.bare_cpu_ns->most), price.recorder_ns);
    return price.is_used
               ? measured + ": the former is taken out of the work"
               : measured + ": they are too far apart to be prices of events, and the latter is taken out";
}

std::string turns_text(ScaledCount const& count) {
    if (!count.turns)
        return {};
    Turns const& turns = *count.turns;
    std::string const unknown = "the cost of taking turns on the one CPU was not measured: ";
    switch (turns.answer) {
        case TurnAnswer::priced: return priced_text(turns, count.prediction.recording().turns);
        case TurnAnswer::no_clear_cost:
            return fmt::format("the cost of taking turns on the one CPU is too small to measure ({})",
                               runs_text(turns));
        case TurnAnswer::not_told:
            return unknown + "without {cpus} in its arguments the program might make other threads there";
        case TurnAnswer::waits_by_running:
            return unknown + "threads wait by running, which longer time slices prolong";
        case TurnAnswer::slices_refused:
            return unknown + "the system grants no longer time slices (Linux does from 6.12 on)";
        case TurnAnswer::failed: return unknown + "a run for it " + turns.problem;
    }
    return {};
}

}  // namespace parcast::report
