#include "recorder/calls/timers.h"

#include <sys/timerfd.h>

#include "recorder/real.h"

namespace parcast::recorder {

constinit std::array<std::atomic<uint64_t>, most_timer_descriptors / 64> timer_descriptors{};

namespace {

PARCAST_REAL Real<decltype(::timerfd_create)> real_timerfd_create{"timerfd_create"};

}  // namespace
}  // namespace parcast::recorder

using namespace parcast::recorder;

// A read of one that does not block comes after a wait for its readiness, which is recorded.
PARCAST_HOOK int timerfd_create(int clock, int flags) noexcept {
    int const descriptor = real_timerfd_create(clock, flags);
    note_timer(descriptor, (flags & TFD_NONBLOCK) == 0);
    return descriptor;
}
