// Measures the machine that it runs on: one round takes some samples of every quantity. Many rounds after
// each other spread a disturbance over all quantities instead of spoiling one, and a round that was
// disturbed can be left out whole.
//
// Who calls sees to it that nothing else runs, or says that something did.

#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <vector>

#include "calibrate/probes.h"
#include "calibrate/quantity.h"
#include "core/result.h"
#include "core/time.h"

namespace parcast::calibrate {

struct Host {
    std::vector<unsigned> cpus;              // to measure on, cores before their second hardware threads
    std::size_t last_level_cache_bytes = 0;  // 0: unknown
};

// Loop rounds a second of each of k busy CPUs, by k.
using SpeedSamples = std::map<std::size_t, std::vector<double>>;

struct Samples {
    std::array<std::vector<double>, quantity_count> costs;  // of one quantity: empty if not measurable
    SpeedSamples compute;
    SpeedSamples memory;
    bool is_cut_short = false;  // fewer than usual, since others left too little time

    std::vector<double>& of(Quantity quantity) { return costs[static_cast<std::size_t>(quantity)]; }
    std::vector<double> const& of(Quantity quantity) const {
        return costs[static_cast<std::size_t>(quantity)];
    }
};

// The counts of CPUs to measure of which no sample was kept, rising.
std::vector<std::size_t> without_samples(SpeedSamples const& speeds, std::size_t cpus);

// Adds the samples of a round.
void append(Samples& samples, Samples&& round);

class Measurement {
public:
    // REQUIRES: at least one CPU.
    explicit Measurement(Host host);

    // A speed has no sample if a thread had its CPU for less than 97 % of the time. Takes about a
    // second on a quiet machine. Where others keep the CPUs busy each sample takes many times as long: after
    // `budget` there is one portion of a few samples of each quantity that is left, and no more. Errors:
    // not_permitted: a CPU cannot be used (any more), so that it is not known where the probes ran.
    Result<Samples> round(Duration budget);
    bool arrays_exceed_the_cache() const { return arrays_.bytes_each() > host_.last_level_cache_bytes; }

private:
    Result<void> check_cpus() const;
    class Portions;
    void measure_one_cpu(Samples& samples, Portions& portions) const;
    void measure_two_cpus(Samples& samples, Portions& portions) const;
    void measure_hot_locks(Samples& samples, Portions& portions) const;
    SpeedSamples speeds(LoopKind kind);

    Host host_;
    Arrays arrays_;
};

}  // namespace parcast::calibrate
