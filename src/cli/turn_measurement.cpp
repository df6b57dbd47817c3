#include "cli/turn_measurement.h"

#include <algorithm>
#include <utility>
#include <variant>
#include <vector>

#include "analysis/findings.h"
#include "cli/placeholder.h"
#include "measure/host_laboratory.h"
#include "measure/time_slice.h"
#include "measure/turn_cost.h"
#include "report/format.h"

namespace parcast::cli {

namespace {

using report::TurnAnswer;
using Runs = std::vector<measure::Series>;  // with usual slices, with longer ones

constexpr Duration longer_slice{50'000'000};
constexpr unsigned further_pairs = 2;

bool take_turns(ScaleSetting const& setting, std::uint32_t cpus, Timeline const& recorded) {
    return cpus > 1 && recorded.catalogue.threads.size() > 1 &&
           std::holds_alternative<LinuxScheduler>(setting.target.shape.scheduler);
}

// Longer slices make such a program wait longer, and work that it does while it waits looks like a cost of turns.
bool waits_by_running(Timeline const& recorded) {
    auto const found = analysis::findings(recorded);
    return std::any_of(found.begin(), found.end(), [](analysis::Finding const& finding) {
        return finding.kind == analysis::FindingKind::spin_waiting ||
               finding.kind == analysis::FindingKind::busy_waiting;
    });
}

// A program that takes several times as long with longer slices waits by yielding: its runs say nothing.
Duration time_limit_of(ScaleSetting const& setting, Timeline const& recorded) {
    Duration const twice_as_long = Duration{recorded.provenance.wall_ns} * 2 + Duration{1'000'000'000};
    return std::min(setting.arguments.time_limit, twice_as_long);
}

measure::ChildRequest request_for(ScaleSetting const& setting, std::uint32_t cpus, Duration time_limit,
                                  std::optional<Duration> time_slice) {
    return {.program = setting.program,
            .command = with_count(setting.arguments.command, cpus),
            .cpus = {setting.cpus.front()},
            .input = setting.streams.nothing(),
            .output = setting.streams.nothing(),
            .error = setting.streams.messages(),
            .time_limit = time_limit,
            .time_slice = time_slice};
}

std::vector<measure::ChildRun> runs_of(measure::Series const& series) {
    std::vector<measure::ChildRun> runs;
    for (measure::ObservedRun const& observed : series.runs) {
        runs.push_back(observed.run);
    }
    return runs;
}

std::optional<measure::TurnCost> cost_of(Runs const& runs) {
    return measure::turn_cost(runs_of(runs.front()), runs_of(runs.back()));
}

// Who compares with measurements waits for a quiet machine and discards what was disturbed, here as well.
measure::Protocol protocol_of(ScaleSetting const& setting) {
    return setting.arguments.measure ? measure::Protocol{}
                                     : measure::Protocol{.most_attempts = 1, .patience = Duration{0}};
}

// One pair of runs, and if that shows a cost more of them, to see whether it is one.
Result<Runs> measure_pairs(measure::Protocol protocol, measure::Laboratory& laboratory) {
    protocol.runs = 1;
    auto runs = measure::measure_interleaved(2, protocol, laboratory);
    if (!runs) {
        return runs;
    }
    auto const first = cost_of(*runs);
    if (!first || !first->is_clear) {
        return runs;
    }
    protocol.runs = further_pairs;
    auto const further = measure::measure_interleaved(2, protocol, laboratory);
    if (!further) {
        return further;
    }
    for (std::size_t variant = 0; variant < runs->size(); ++variant) {
        auto& all = (*runs)[variant].runs;
        auto const& others = (*further)[variant].runs;
        all.insert(all.end(), others.begin(), others.end());
    }
    return runs;
}

report::Turns turns_of(Runs const& runs) {
    report::Turns turns;
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

std::optional<report::Turns> measure_turns(ScaleSetting& setting, std::uint32_t cpus, Timeline const& recorded) {
    if (!setting.arguments.turns || !take_turns(setting, cpus, recorded)) {
        return std::nullopt;
    }
    // Nobody tells the bare program on one CPU how many threads to make.
    if (!has_placeholder(setting.arguments.command)) {
        return report::Turns{.answer = TurnAnswer::not_told};
    }
    if (waits_by_running(recorded)) {
        return report::Turns{.answer = TurnAnswer::waits_by_running};
    }
    if (!measure::grants_slices(longer_slice)) {
        return report::Turns{.answer = TurnAnswer::slices_refused};
    }
    Duration const time_limit = time_limit_of(setting, recorded);
    auto const before_run = [&](std::size_t) -> Result<void> {
        if (auto const refusal = prepare_run(setting, cpus)) {
            return fail(ErrorCode::inconsistent, refusal->message);
        }
        setting.streams.clear();
        setting.progress.say("measuring the price of a turn for " + report::counted(cpus, "CPU"));
        return {};
    };
    measure::HostLaboratory laboratory(setting.cpus,
                                       {request_for(setting, cpus, time_limit, std::nullopt),
                                        request_for(setting, cpus, time_limit, longer_slice)},
                                       before_run);
    auto const runs = measure_pairs(protocol_of(setting), laboratory);
    return runs ? turns_of(*runs) : report::Turns{.answer = TurnAnswer::failed, .problem = runs.error().message};
}

}  // namespace parcast::cli
