// The ways out of a process that pass by atexit: without these, the recording would have no end. exit()
// and return from main need no hook (recording.cpp registers on_exit), death by a signal can have none.

#include <stdlib.h>
#include <unistd.h>

#include "recorder/real.h"
#include "recorder/recording.h"

namespace parcast::recorder {
namespace {

PARCAST_REAL Real<void(int)> real_immediate_exit{"_exit"};
PARCAST_REAL Real<void(int)> real_quick_exit{"quick_exit"};

// A shell sees the low eight bits.
int status_seen(int status) {
    return status & 0xff;
}

}  // namespace
}  // namespace parcast::recorder

using namespace parcast::recorder;

PARCAST_HOOK [[noreturn]] void _exit(int status) {
    end_recording(parcast::wire::Ending::immediate_exit, status_seen(status));
    real_immediate_exit(status);
    __builtin_unreachable();
}

PARCAST_HOOK [[noreturn]] void _Exit(int status) noexcept {
    end_recording(parcast::wire::Ending::immediate_exit, status_seen(status));
    real_immediate_exit(status);
    __builtin_unreachable();
}

// What the handlers of at_quick_exit do is not recorded.
PARCAST_HOOK [[noreturn]] void quick_exit(int status) noexcept {
    end_recording(parcast::wire::Ending::immediate_exit, status_seen(status));
    real_quick_exit(status);
    __builtin_unreachable();
}
