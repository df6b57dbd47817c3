// Records a program several times and keeps the recording that others disturbed least: what `record --repeat`
// does on a busy host.

#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "core/result.h"
#include "record/run.h"
#include "study/memory_sensing.h"

namespace parcast::study {

inline constexpr unsigned most_recordings = 100;

// What tells recordings of one program apart.
struct Disturbance {
    double others_share = 1;  // of the time of the CPU
    double cpu_ns = 0;        // of the program
};

// Which of them to keep: that with the least share for others, then with the least CPU time. REQUIRES: some.
std::size_t least_disturbed(std::span<Disturbance const> recordings);

// By what share of itself the cost of recording, `cost_ns`, may be off if their CPU times may lie as far
// apart by that alone; none for less than two, or no cost.
std::optional<double> cost_uncertainty(std::span<Disturbance const> recordings, double cost_ns);

// What further runs print is thrown away, whatever else the program does it does again; the end is that of
// the first one. A further run that cannot be recorded, or ends otherwise, is the last one, and a warning
// says so. How far their CPU times lie apart becomes the uncertainty of the main image's price of events, as
// with bare_price.h. Errors: those of run_recorded for the first. REQUIRES: times >= 1, events lie in raw
// files.
Result<record::RecordedRun> record_repeatedly(record::RecordingRequest const& request, unsigned times,
                                              RepeatableInput const& input);

}  // namespace parcast::study
