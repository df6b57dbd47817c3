// One call of pthread_once or call_once that is under way; it lives on the caller's stack.

#pragma once

namespace parcast::recorder {

struct OnceCall {
    void (*routine)();
    bool ran;
    OnceCall* outer;
};

// glibc sets this bit of a pthread_once_t or once_flag when the routine has run.
inline bool once_is_done(void const* control) {
    return __atomic_load_n(static_cast<int const*>(control), __ATOMIC_ACQUIRE) & 2;
}

// Runs the routine of the innermost call.
void run_once_routine();

}  // namespace parcast::recorder
