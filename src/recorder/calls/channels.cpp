// Pipes, pairs of sockets and event counters: which descriptor is written for which one to be read. Threads
// of one program wait for each other through them, and a replay has to know that no device is waited for.

#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "recorder/calls/timers.h"
#include "recorder/recorded_call.h"

namespace parcast::recorder {
namespace {

PARCAST_REAL Real<decltype(::pipe)> real_pipe{"pipe"};
PARCAST_REAL Real<decltype(::pipe2)> real_pipe2{"pipe2"};
PARCAST_REAL Real<decltype(::socketpair)> real_socketpair{"socketpair"};
PARCAST_REAL Real<decltype(::eventfd)> real_eventfd{"eventfd"};

[[gnu::always_inline]] inline void note_channel(int reading, uint64_t writing) {
    note_timer(reading, false);
    if (Stream* const stream = this_stream())
        stream->event<Kind::channel_init>(descriptor_object(reading), call_site(), no_flags, writing);
}

[[gnu::always_inline]] inline int noted_pipe(int result, int const* ends) {
    if (result == 0) {
        note_channel(ends[0], static_cast<uint64_t>(ends[1]));
        note_channel(ends[1], wire::no_writing_end);
    }
    return result;
}

}  // namespace
}  // namespace parcast::recorder

using namespace parcast::recorder;

PARCAST_HOOK int pipe(int* ends) noexcept {
    return noted_pipe(real_pipe(ends), ends);
}
PARCAST_HOOK int pipe2(int* ends, int flags) noexcept {
    return noted_pipe(real_pipe2(ends, flags), ends);
}
PARCAST_HOOK int socketpair(int domain, int type, int protocol, int* ends) noexcept {
    int const result = real_socketpair(domain, type, protocol, ends);
    if (result == 0) {
        note_channel(ends[0], static_cast<uint64_t>(ends[1]));
        note_channel(ends[1], static_cast<uint64_t>(ends[0]));
    }
    return result;
}
PARCAST_HOOK int eventfd(unsigned count, int flags) noexcept {
    int const descriptor = real_eventfd(count, flags);
    if (descriptor >= 0)
        note_channel(descriptor, static_cast<uint64_t>(descriptor));
    return descriptor;
}
