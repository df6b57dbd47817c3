// A series of recordings, one for each number of threads, seen through the events/threads model (Marinescu,
// Rice and Vavalis 1990): answer/signature.h.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "answer/signature.h"
#include "core/result.h"
#include "core/time.h"

namespace parcast::study {

struct SeriesQuestion {
    Duration same_event{0};           // that the recordings were analysed with
    bool threads_from_names = false;  // P is the number before the ending of each file's name
    bool scaled = false;              // scaled execution, too
    std::vector<SpeedUpMeasuredWith> measured = {};
};

// Errors: inconsistent (different programs, the same P twice, a run that failed), malformed (no number in a
// name); each names the files. REQUIRES: recordings not empty.
Result<SignatureAnswer> signature_of_series(std::vector<RecordingSignature> recordings,
                                            SeriesQuestion const& question);

// Beside it a second series of the same or another program. REQUIRES: at least three counts in each.
void compare_with(SignatureAnswer& answer, SignatureAnswer const& other, std::string const& folder);

}  // namespace parcast::study
