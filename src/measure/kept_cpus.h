// Programs that choose their CPUs themselves (x265, Phoenix): they stay on those that a measurement gives
// them only if the kernel ignores what they ask for.

#pragma once

namespace parcast::measure {

// From now on sched_setaffinity(2) of this thread and of programs that it starts succeeds and changes
// nothing, by a filter of system calls. Those programs may gain no privileges (sudo) unless this process may
// give them. False: the kernel takes no filter, and they may choose.
bool ignore_chosen_cpus();

}  // namespace parcast::measure
