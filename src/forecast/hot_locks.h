// What threads do too often for a replay to be right by per cents:
//
// 1. Several CPUs want a lock at the same moment: they wait for its line for a large part of the time.
// 2. Threads hand work to each other, through a condition or a semaphore, in pieces that take less CPU time
//    than waking a thread does whose CPU has been idle for as long as a piece takes. Whether the receiver
//    sleeps, and meets the lock that the giver still holds, then decides the time, and no recording on one
//    CPU tells.

#pragma once

#include <optional>
#include <span>
#include <vector>

#include "answer/answer.h"
#include "answer/finding.h"
#include "answer/profile.h"
#include "core/catalogue.h"
#include "machine/machine.h"

namespace parcast::forecast {

// A warning about the second of these, else about the lock for which CPUs wait most; none if that is less
// than a tenth of their time on every count of CPUs, or if the machine makes threads spin for locks anyway.
std::optional<Finding> hot_locks(std::span<Row const> rows, RecordingBasis const& basis,
                                 Machine const& machine);

// How many times as long it may take if every call on what hands the smallest pieces over waits until a
// thread is awake; 1: there are no small pieces.
double most_lengthened_by_wake_ups(Row const& row, RecordingBasis const& basis, Machine const& machine);

// RecordingBasis::hand_overs: of conditions for which somebody waited. A replay has all posts of a semaphore.
std::vector<RecordedCalls> recorded_hand_overs(Catalogue const& catalogue,
                                               std::span<ObjectProfile const> objects);

}  // namespace parcast::forecast
