// Resolves the numbers that the recorder used (addresses of objects, pthread_t, thread numbers) to ids of
// a timeline. An address or a pthread_t can mean several things one after the other, so both are looked up
// by time:
//
// - An object is (address, kind) since its last initialisation. Re-use of memory without one (a new
//   std::mutex where an old one was) is not seen and stays one object.
// - A pthread_t means the thread that was last created with it; that of a join which did not wait, who had
// ended.
//
// Thread ids are the recorder's numbers without those that never began to run (failed creations, children
// that had not run when the process died); thread 0 is always there.

#pragma once

#include "timeline/timeline.h"
#include "trace/raw/raw_threads.h"

namespace parcast::trace {

// Moves threads, objects, sites and events into `timeline`. Cost: a pass over the events, and a sort of the
// first uses of objects.
void resolve_names(RawThreads&& raw, Timeline& timeline);

}  // namespace parcast::trace
