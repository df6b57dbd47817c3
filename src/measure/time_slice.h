// How long may a thread that shares its CPU with others run on before the next one's turn?
//
// With the kernel's usual slice of some 3 ms, threads that take turns on one CPU keep evicting each other's
// data from its caches and address translations, which they do not on CPUs of their own. Slices of 20 ms make
// a part of that go away; recordings do not use them (docs/decisions/2026-11-21-long-time-slices.md),
// comparisons on one CPU may. Linux from 6.12 on grants up to 100 ms to normal threads without privileges; an
// older one takes no notice.

#pragma once

namespace parcast::measure {

// For the calling thread and those that it starts from now on, in this process and in others. Callable
// between fork and exec. Where the kernel refuses, everything stays as it is.
void ask_for_long_slices();

// The calling thread's slices are long: the kernel has granted them.
bool has_long_slices();

// Long slices while it lives, for the calling thread and what it starts meanwhile.
class LongSlices {
public:
    LongSlices() { ask_for_long_slices(); }
    ~LongSlices();
    LongSlices(LongSlices const&) = delete;
    LongSlices& operator=(LongSlices const&) = delete;
};

}  // namespace parcast::measure
