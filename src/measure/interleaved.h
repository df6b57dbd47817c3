// The protocol of a measurement on a machine that is not ours alone: several variants of a run, one after the
// other, round after round, so that what drifts (clock rate, a neighbour) meets all of them; each run starts
// on a quiet machine and is discarded if others disturbed it.
//
// 1. A run starts after a pause in which the processors were less than most_busy busy, or at once when the
// patience
//    of the whole measurement is used up, which is `patience` times its number of runs.
// 2. A run in which others used more than most_disturbance of the processors' time is discarded and made
// again,
//    most_attempts times in all, while no more runs were discarded than asked for; then the least disturbed
//    one stands, and is counted as disturbed.
// 3. Every other round goes through the variants in reverse order.
// 4. What is compared are the fastest runs, and a fastest run is known once a second one was about as fast.
// So
//    rounds go on, at most `further_rounds` more than asked for, while that does not hold for every variant.
//    Nothing but the runs themselves decides: no prediction enters.
// 5. No round begins once the runs have taken `enough` together.

#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "core/result.h"
#include "core/time.h"
#include "measure/child_run.h"

namespace parcast::measure {

struct Protocol {
    unsigned runs = 5;            // of each variant, at least
    unsigned further_rounds = 0;  // at most
    double settled = 0.01;        // share by which the two fastest runs of a variant may differ
    unsigned most_attempts = 4;
    double most_disturbance = 0.03;
    double most_busy = 0.1;
    Duration pause{250'000'000};
    Duration patience{2'000'000'000};               // of waiting for a quiet machine
    std::optional<Duration> enough = std::nullopt;  // wall time of all runs; none: there is no such limit
};

struct ObservedRun {
    ChildRun run;
    double disturbance = 0;  // share of the processors' time that others used meanwhile
};

// The better sample of the same run: the one that was not disturbed, of two such the one that took less CPU
// time, of two disturbed ones the one that was less.
bool is_better(ObservedRun const& a, ObservedRun const& b, Protocol const& protocol);

struct Series {
    std::vector<ObservedRun> runs;  // runs[i] was made in round i
    unsigned discarded = 0;
    unsigned disturbed = 0;  // of `runs`, those that stand for want of better ones
};

// The outside world: tests fake it.
class Laboratory {
public:
    Laboratory() = default;
    Laboratory(Laboratory const&) = delete;
    Laboratory& operator=(Laboratory const&) = delete;
    virtual ~Laboratory() = default;

    // Lets `pause` go by. The share of the processors' time that was used meanwhile.
    virtual double rest(Duration pause) = 0;

    // An error ends the whole measurement.
    virtual Result<ObservedRun> run(std::size_t variant) = 0;
};

// series[i] is that of variant i. Errors: the first of a run.
Result<std::vector<Series>> measure_interleaved(std::size_t variants, Protocol const& protocol,
                                                Laboratory& laboratory);

}  // namespace parcast::measure
