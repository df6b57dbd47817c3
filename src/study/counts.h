// What a study measures beside a prediction.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "answer/scale.h"
#include "core/result.h"
#include "measure/host_laboratory.h"
#include "study/runs.h"
#include "timeline/timeline.h"

namespace parcast::study {

// What recording an event takes in this program, where that matters: by how much unrecorded runs are faster.
// The price that the recorder measures in the process is that of calls which follow each other at once, and
// does not know what the program's own code loses beside them.
//
// The price, or why there is none. Nothing: --no-bare-runs, a recording that took less than a tenth of the
// CPU time, or a program that is not told how many threads to make.
std::optional<EventPrice> measure_event_price(ScaleSetting const& setting, std::uint32_t cpus,
                                              Timeline const& recorded);

// The program measured unrecorded, for all numbers of CPUs in one interleaved series, and compared with what
// was predicted for it.
//
// Fills in the measurements and comparisons of `counts`. A command with {cpus} is measured for each count on
// one CPU and on as many as its command names, or as there are: the same threads on both. So is a command
// without it whose recordings all have the same number of threads. Another one sees for itself how many CPUs
// there are: it is measured on the counts that there are, and compared with the recording for one CPU.
// Errors: program_failed.
Result<void> measure_counts(ScaleSetting const& setting, std::vector<ScaledCount>& counts);

// Their recordings.
bool have_the_same_threads(std::vector<ScaledCount> const& counts);

// The recording for one count of CPUs, and the forecast from it.
//
// Records with `cpus` pretended, and predicts one CPU, `cpus`, and those that it can be compared on here. If
// it is going to be compared, the recording is made on a quiet machine and again if others disturbed it.
Result<ScaledCount> record_and_predict(ScaleSetting const& setting, std::uint32_t cpus);

// What it costs the threads of a program to take turns on the one CPU that it is recorded on: the program
// runs there unrecorded, in turn with the kernel's usual time slices and with longer ones.
//
// The cost, or why there is none. None asked for: --no-bare-runs, or nobody takes turns in the prediction
// (one thread, one CPU, a scheduler without slices).
std::optional<Turns> measure_turns(ScaleSetting const& setting, std::uint32_t cpus, Timeline const& recorded);

// The recorded program unrecorded, on the one CPU that it is recorded on: what a recording cannot know of
// itself.

// A variant for each of the time slices; none: the usual ones. A run that takes over twice as long as the
// recording is ended. `what` is the progress line of a run: "measuring the price of a turn". The setting is
// kept by reference.
measure::HostLaboratory bare_laboratory(ScaleSetting const& setting, std::uint32_t cpus,
                                        Timeline const& recorded,
                                        std::vector<std::optional<Duration>> const& time_slices,
                                        std::string const& what);

// Who compares with measurements waits for a quiet machine and discards what was disturbed, here as well.
measure::Protocol bare_protocol(ScaleSetting const& setting);

std::vector<measure::ChildRun> runs_of(measure::Series const& series);

}  // namespace parcast::study
