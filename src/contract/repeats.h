// Several recordings of one program. What a busy machine does to a recording differs from run to run, by more
// than the range of one prediction allows for; ranges that contain those of all recordings allow for it.

#pragma once

#include <cstddef>
#include <span>

#include "answer/answer.h"
#include "answer/contract.h"

namespace parcast::contract {

// The one with the median time on most CPUs. REQUIRES: answers to one question, at least one.
std::size_t median_recording(std::span<Answer const> answers);

// The answer with the ranges of all: what they differ by is of the uncertainty `recording`. It also gets the
// kinds of findings that only others have. REQUIRES: as above.
Answer with_ranges_of_all(Answer answer, std::span<Answer const> answers);

HeldLock with_range_of(HeldLock held, HeldLock const& other);

}  // namespace parcast::contract
