// Affinity and real-time classes, as functions and behind syscall(2). A recorded program stays on its one
// CPU, so affinity calls are checked and recorded, but not executed. Nor are real-time classes: on one CPU a
// thread of such a class that waits actively would hang the program. Both are kept (kept_scheduling.h), and
// read back as set.

#pragma once

#include <sched.h>
#include <stddef.h>
#include <stdint.h>

#include "recorder/kept_scheduling.h"
#include "recorder/stream.h"

namespace parcast::recorder {

// Whose parameters are set: what the event calls it, and the kernel's number of it; 0 is the caller.
struct Scheduled {
    uint64_t recorded_as;
    uint32_t kernel_id;
};
Scheduled thread_of_number(pid_t number);
Scheduled thread_of_handle(pthread_t handle);

// Of the mask, the processors that there are.
void keep_mask(KeptScheduling& kept, size_t size, cpu_set_t const* mask);

// What a thread itself set, once the system found the arguments right.
void give_kept_mask(Scheduled thread, size_t size, cpu_set_t* mask);

// The call of that number, with its arguments, for the program that asks for it by syscall().
bool is_scheduling_call(long number);
long call_for_scheduling(Stream* stream, long number, long const (&arguments)[6], void const* site);

}  // namespace parcast::recorder
