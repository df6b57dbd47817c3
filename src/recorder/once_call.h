// One call of pthread_once or call_once that is under way; it lives on the caller's stack.

#pragma once

namespace parcast::recorder {

struct OnceCall {
    void (*routine)();
    bool ran;
    OnceCall* outer;
};

// Runs the routine of the innermost call.
void run_once_routine();

}  // namespace parcast::recorder
