#include "measure/interleaved.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace parcast::measure {

namespace {

// What is left of the allowances of the whole measurement.
struct Allowance {
    Duration waiting;
    std::size_t discarding;
};

void wait_for_quiet(Protocol const& protocol, Laboratory& laboratory, Allowance& left) {
    while (left.waiting > Duration{0}) {
        left.waiting -= protocol.pause;
        if (laboratory.rest(protocol.pause) < protocol.most_busy) {
            left.waiting += protocol.pause;  // one quiet pause a run is no waiting
            return;
        }
    }
}

Result<void> add_run(std::size_t variant, Protocol const& protocol, Laboratory& laboratory, Allowance& left,
                     Series& series) {
    std::optional<ObservedRun> best;
    for (unsigned attempt = 0; attempt < protocol.most_attempts; ++attempt) {
        wait_for_quiet(protocol, laboratory, left);
        auto observed = laboratory.run(variant);
        if (!observed)
            return pass_on(observed);
        if (best) {
            ++series.discarded;
            --left.discarding;
        }
        if (!best || observed->disturbance < best->disturbance)
            best = *observed;
        if (best->disturbance <= protocol.most_disturbance || left.discarding == 0)
            break;
    }
    series.disturbed += best->disturbance > protocol.most_disturbance ? 1 : 0;
    series.runs.push_back(*best);
    return {};
}

bool is_settled(Series const& series, double share) {
    if (series.runs.size() < 2)
        return false;
    std::array<ObservedRun, 2> fastest;
    std::partial_sort_copy(
        series.runs.begin(), series.runs.end(), fastest.begin(), fastest.end(),
        [](ObservedRun const& a, ObservedRun const& b) { return a.run.wall < b.run.wall; });
    return to_real(fastest[1].run.wall).ns <= (1 + share) * to_real(fastest[0].run.wall).ns;
}

bool took_enough(Protocol const& protocol, std::vector<Series> const& series) {
    Duration taken{0};
    for (Series const& of_variant : series)
        for (ObservedRun const& observed : of_variant.runs)
            taken += observed.run.wall;
    return protocol.enough && taken >= *protocol.enough;
}

// The numbers of the rounds begin at 0.
bool is_worth_a_round(unsigned round, Protocol const& protocol, std::vector<Series> const& series) {
    if (took_enough(protocol, series))
        return false;
    return round < protocol.runs ||
           (round < protocol.runs + protocol.further_rounds &&
            !std::all_of(
                series.begin(), series.end(),
                [&](Series const& of_variant) { return is_settled(of_variant, protocol.settled); }));
}

}  // namespace

bool is_better(ObservedRun const& a, ObservedRun const& b, Protocol const& protocol) {
    auto const rank = [&](ObservedRun const& run) {
        bool const is_disturbed = run.disturbance > protocol.most_disturbance;
        return std::pair(is_disturbed ? run.disturbance : 0, run.run.processor_time());
    };
    return rank(a) < rank(b);
}

Result<std::vector<Series>> measure_interleaved(std::size_t variants, Protocol const& protocol,
                                                Laboratory& laboratory) {
    std::vector<Series> series(variants);
    std::size_t const runs = variants * protocol.runs;
    Allowance left{protocol.patience * static_cast<std::int64_t>(runs), runs};
    for (unsigned round = 0; is_worth_a_round(round, protocol, series); ++round) {
        for (std::size_t i = 0; i < variants; ++i) {
            std::size_t const variant = round % 2 == 0 ? i : variants - 1 - i;
            if (auto added = add_run(variant, protocol, laboratory, left, series[variant]); !added)
                return pass_on(added);
        }
    }
    return series;
}

}  // namespace parcast::measure
