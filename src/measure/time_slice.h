// How long may a thread that shares its CPU with others run on before the next one's turn?
//
// With the kernel's usual slice of some 3 ms, threads that take turns on one CPU keep evicting each other's
// data from its caches and address translations, which they do not on CPUs of their own. Longer slices make
// most of that go away: recordings do not use them (docs/decisions/2026-11-21-long-time-slices.md), but the
// price of a turn is measured with them. Linux from 6.12 on grants 0.1 to 100 ms to normal threads without
// privileges; an older one takes no notice.

#pragma once

#include "core/time.h"

namespace parcast::measure {

inline constexpr Duration long_slice{20'000'000};

// Slices of this length while it lives, for the calling thread and what it starts meanwhile, threads and
// processes. Where the kernel refuses, everything stays as it is.
class TimeSlice {
public:
    explicit TimeSlice(Duration length);
    ~TimeSlice();
    TimeSlice(TimeSlice const&) = delete;
    TimeSlice& operator=(TimeSlice const&) = delete;
};

// The calling thread's; 0 where the kernel does not tell.
Duration own_slice();

// Whether the kernel grants such slices.
bool grants_slices(Duration length);

}  // namespace parcast::measure
