// How much random delays spread the time between two synchronisations: of given numbers, or of the delays
// that recordings have between the synchronisations of each thread. By the theories of model/renewal.

#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "analysis/random_delays.h"
#include "answer/variance.h"
#include "core/result.h"
#include "core/sample.h"
#include "model/renewal/renewal.h"
#include "timeline/timeline.h"

namespace parcast::forecast {

// `confidence` of the bands in which times lie, per cent. Errors: those of the theory, if none has an answer.
Result<VarianceAnswer> variance_of(model::DelayedProcess const& process, double confidence);

// The delays of one or more recordings of the same program, thread by thread.
class RecordedDelays {
public:
    // Errors: those of extract::program_from.
    Result<void> add(Timeline recorded);

    // No threads: nothing delays one at random. Errors: those of the theory.
    Result<VarianceAnswer> variance(double confidence) const;

private:
    struct Pooled {
        std::string name;
        analysis::ThreadDelays delays;
    };

    std::map<std::uint32_t, Pooled> threads_;
    Sample cpu_;  // of a recording
    Sample delays_;
    Sample time_;
};

}  // namespace parcast::forecast
