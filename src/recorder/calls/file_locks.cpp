// Waiting for the lock of a file: a wait for the descriptor, as poll is, since who holds it is mostly another
// process. Only what may wait is recorded; unlocking and trying are not.

#include <fcntl.h>
#include <stdarg.h>
#include <sys/file.h>
#include <unistd.h>

#include "recorder/recorded_call.h"

namespace parcast::recorder {
namespace {

using Control = int(int, int, ...);

PARCAST_REAL Real<decltype(::flock)> real_flock{"flock"};
PARCAST_REAL Real<decltype(::lockf)> real_lockf{"lockf"};
PARCAST_REAL Real<decltype(::lockf64)> real_lockf64{"lockf64"};
PARCAST_REAL Real<Control> real_fcntl{"fcntl"};
PARCAST_REAL Real<Control> real_fcntl64{"fcntl64"};

template <class Signature, class... Arguments>
[[gnu::always_inline]] inline int locked(bool may_wait, Real<Signature>& real, int descriptor,
                                         Arguments... arguments) {
    auto const call = [&] { return real(descriptor, arguments...); };
    auto const tell = [](int result) { return Told{result == 0 ? 1u : 0u, failure_of(result)}; };
    return may_wait ? told_call<Kind::poll>(descriptor_object(descriptor), call, tell, no_timeout) : call();
}

bool locks_and_waits(int command) {
    return command == F_SETLKW || command == F_OFD_SETLKW;
}

}  // namespace
}  // namespace parcast::recorder

using namespace parcast::recorder;

PARCAST_HOOK int flock(int descriptor, int operation) noexcept {
    bool const may_wait = (operation == LOCK_SH || operation == LOCK_EX);
    return locked(may_wait, real_flock, descriptor, operation);
}
PARCAST_HOOK int lockf(int descriptor, int command, off_t length) {
    return locked(command == F_LOCK, real_lockf, descriptor, command, length);
}
PARCAST_HOOK int lockf64(int descriptor, int command, off64_t length) {
    return locked(command == F_LOCK, real_lockf64, descriptor, command, length);
}

// The third argument is a number, a pointer or absent; a pointer holds them all, as in libc.
PARCAST_HOOK int fcntl(int descriptor, int command, ...) {
    va_list rest;
    va_start(rest, command);
    void* const argument = va_arg(rest, void*);
    va_end(rest);
    return locked(locks_and_waits(command), real_fcntl, descriptor, command, argument);
}
PARCAST_HOOK int fcntl64(int descriptor, int command, ...) {
    va_list rest;
    va_start(rest, command);
    void* const argument = va_arg(rest, void*);
    va_end(rest);
    return locked(locks_and_waits(command), real_fcntl64, descriptor, command, argument);
}
