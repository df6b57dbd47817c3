#include "measure/interleaved.h"

#include <optional>

namespace parcast::measure {

namespace {

void wait_for_quiet(Protocol const& protocol, Laboratory& laboratory) {
    Duration waited{0};
    while (waited < protocol.longest_wait) {
        waited += protocol.pause;
        if (laboratory.rest(protocol.pause) < protocol.most_busy) {
            return;
        }
    }
}

Result<void> add_run(std::size_t variant, Protocol const& protocol, Laboratory& laboratory, Series& series) {
    std::optional<ObservedRun> best;
    for (unsigned attempt = 0; attempt < protocol.most_attempts; ++attempt) {
        wait_for_quiet(protocol, laboratory);
        auto observed = laboratory.run(variant);
        if (!observed) {
            return pass_on(observed);
        }
        series.discarded += best ? 1 : 0;
        if (!best || observed->disturbance < best->disturbance) {
            best = *observed;
        }
        if (best->disturbance <= protocol.most_disturbance) {
            break;
        }
    }
    series.disturbed += best->disturbance > protocol.most_disturbance ? 1 : 0;
    series.runs.push_back(*best);
    return {};
}

}  // namespace

Result<std::vector<Series>> measure_interleaved(std::size_t variants, Protocol const& protocol,
                                                Laboratory& laboratory) {
    std::vector<Series> series(variants);
    for (unsigned round = 0; round < protocol.runs; ++round) {
        for (std::size_t i = 0; i < variants; ++i) {
            std::size_t const variant = round % 2 == 0 ? i : variants - 1 - i;
            if (auto added = add_run(variant, protocol, laboratory, series[variant]); !added) {
                return pass_on(added);
            }
        }
    }
    return series;
}

}  // namespace parcast::measure
