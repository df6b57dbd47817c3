// Functions that are built with -finstrument-functions.

#pragma once

namespace parcast::bench {

// Calls a function that does nothing `calls` times, from below so many functions.
void call_instrumented(int depth, int calls);

}  // namespace parcast::bench
