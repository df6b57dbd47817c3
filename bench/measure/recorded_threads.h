// Recordings to measure with, made up instead of recorded, so that they are the same everywhere.

#pragma once

#include <cstdint>

#include "timeline/timeline.h"

namespace parcast::bench {

enum class Habit : std::uint8_t {
    locks,  // each thread locks and unlocks one of as many mutexes as there are threads; none is contended
    hand_offs,  // besides, one event in four waits, for a random time
    hand_outs,  // each thread takes pieces of work under one mutex, at one place, until nothing is left
};

// A main thread that creates and joins `threads` threads, which have `events` events in all. They take turns
// of 3 ms on one CPU. Their times vary, as those of programs do: 0 to 8 us before a lock, 0 to 1 us inside
// it.
Timeline recorded_threads(std::uint32_t threads, std::int64_t events, Habit habit);

}  // namespace parcast::bench
