// What the threads of a recording spend their time with, by the events/threads model.

#pragma once

#include <cstdint>
#include <string>

#include "answer/signature.h"

namespace parcast {

// Of the time of the threads that the means are over.
struct SignatureShares {
    double active = 0;
    double communicating = 0;
    double algorithmic = 0;
    double other = 0;
    double outside = 0;
};
SignatureShares shares_of_time(RecordingSignature const& recording);

// Threads that work: P, where that is their number.
std::int64_t threads_at_work(RecordingSignature const& recording);

// Those of them that the means are over.
std::int64_t threads_in_means(RecordingSignature const& recording);

// " A thread spends its time 17 % active and 45 % waiting for results of other threads." Empty: there is no
// time.
std::string time_sentence(RecordingSignature const& recording);

}  // namespace parcast
