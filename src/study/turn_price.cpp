#include "study/counts.h"

#include <algorithm>
#include <utility>
#include <variant>
#include <vector>

#include "analysis/findings.h"
#include "measure/time_slice.h"
#include "measure/turn_cost.h"
#include "study/placeholder.h"

namespace parcast::study {

namespace {

using Runs = std::vector<measure::Series>;  // with usual slices, with longer ones

constexpr Duration longer_slice{50'000'000};
constexpr unsigned further_pairs = 2;

bool take_turns(ScaleSetting const& setting, std::uint32_t cpus, Timeline const& recorded) {
    return cpus > 1 && recorded.catalogue.threads.size() > 1 &&
           std::holds_alternative<LinuxScheduler>(setting.forecasting.machine.shape.scheduler);
}

// Longer slices make such a program wait longer, and work that it does while it waits looks like a cost of
// turns.
bool waits_by_running(Timeline const& recorded) {
    auto const found = analysis::findings(recorded);
    return std::any_of(found.begin(), found.end(), [](Finding const& finding) {
        return finding.kind == FindingKind::spin_waiting || finding.kind == FindingKind::busy_waiting;
    });
}

std::optional<measure::TurnCost> cost_of(Runs const& runs) {
    return measure::turn_cost(runs_of(runs.front()), runs_of(runs.back()));
}

// One pair of runs, and if that shows a cost more of them, to see whether it is one.
Result<Runs> measure_pairs(measure::Protocol protocol, measure::Laboratory& laboratory) {
    protocol.runs = 1;
    auto runs = measure::measure_interleaved(2, protocol, laboratory);
    if (!runs)
        return runs;
    auto const first = cost_of(*runs);
    if (!first || !first->is_clear)
        return runs;
    protocol.runs = further_pairs;
    auto const further = measure::measure_interleaved(2, protocol, laboratory);
    if (!further)
        return further;
    for (std::size_t variant = 0; variant < runs->size(); ++variant) {
        auto& all = (*runs)[variant].runs;
        auto const& others = (*further)[variant].runs;
        all.insert(all.end(), others.begin(), others.end());
    }
    return runs;
}

Turns turns_of(Runs const& runs) {
    Turns turns;
    turns.slice = longer_slice;
    turns.pairs = static_cast<unsigned>(runs.front().runs.size());
    if (auto const cost = cost_of(runs)) {
        turns.answer = cost->is_clear ? TurnAnswer::priced : TurnAnswer::no_clear_cost;
        turns.share = cost->share;
        turns.price_ns = cost->price_ns;
    }
    return turns;
}

}  // namespace

std::optional<Turns> measure_turns(ScaleSetting const& setting, std::uint32_t cpus,
                                   Timeline const& recorded) {
    if (!setting.question.bare_runs || !take_turns(setting, cpus, recorded))
        return std::nullopt;
    // Nobody tells the bare program on one CPU how many threads to make.
    if (!has_placeholder(setting.question.command))
        return Turns{.answer = TurnAnswer::not_told};
    if (waits_by_running(recorded))
        return Turns{.answer = TurnAnswer::waits_by_running};
    if (!measure::grants_slices(longer_slice))
        return Turns{.answer = TurnAnswer::slices_refused};
    auto laboratory = bare_laboratory(setting, cpus, recorded, {std::nullopt, longer_slice},
                                      "measuring the price of a turn");
    auto const runs = measure_pairs(bare_protocol(setting), laboratory);
    return runs ? turns_of(*runs) : Turns{.answer = TurnAnswer::failed, .problem = runs.error().message};
}

}  // namespace parcast::study
