// Runs a recorded program again, on its CPU, while other CPUs move memory: how much it suffers from that, and
// how much the others suffer from it.

#pragma once

#include <cstdint>
#include <optional>

#include "core/result.h"
#include "record/run.h"
#include "timeline/provenance.h"

namespace parcast::study {

// Standard input, to be given to each run from where it is before the first one.
class RepeatableInput {
public:
    // Errors: unasked: it is a pipe or a socket, which cannot be read twice.
    static Result<RepeatableInput> of_this_process();

    // For the next run: opened anew, nothing where it is no file. The caller closes it; -1: it cannot be.
    int open_again() const;
    // What open_again() gave, back to where the first run began.
    void rewind(int again) const;

private:
    std::optional<std::int64_t> offset_;  // of a file
};

// `first`: the run of `request` that was recorded; it counts, too, if it took long. Takes as long as the
// program, or some ten seconds where that is shorter. What the program prints is thrown away; whatever else
// it does it does again. Ending signals are for the caller to hold back (measure::EndingSignals); they end
// it early, with an error. Errors: those of record::run_again; program_failed (the program, or that run,
// did not end as the first one), unasked (there is one CPU, or too little to measure), out_of_range (others
// disturb, or memory is not slower).
Result<MemorySensing> sense_memory(record::RecordingRequest request, record::RecordedRun const& first,
                                   RepeatableInput const& input);

}  // namespace parcast::study
