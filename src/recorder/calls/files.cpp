// Opening, closing and synchronising files. For an opening, the new descriptor is the event's result.

#include <fcntl.h>
#include <stdarg.h>
#include <unistd.h>

#include "recorder/calls/pretended_cpus.h"
#include "recorder/calls/timers.h"
#include "recorder/recorded_call.h"

namespace parcast::recorder {
namespace {

using Open = int(char const*, int, ...);
using OpenAt = int(int, char const*, int, ...);
using Open2 = int(char const*, int);
using OpenAt2 = int(int, char const*, int);

PARCAST_REAL Real<Open> real_open{"open"};
PARCAST_REAL Real<Open> real_open64{"open64"};
PARCAST_REAL Real<OpenAt> real_openat{"openat"};
PARCAST_REAL Real<OpenAt> real_openat64{"openat64"};
PARCAST_REAL Real<Open2> real_open_2{"__open_2"};
PARCAST_REAL Real<Open2> real_open64_2{"__open64_2"};
PARCAST_REAL Real<OpenAt2> real_openat_2{"__openat_2"};
PARCAST_REAL Real<OpenAt2> real_openat64_2{"__openat64_2"};
PARCAST_REAL Real<decltype(::creat)> real_creat{"creat"};
PARCAST_REAL Real<decltype(::close)> real_close{"close"};
PARCAST_REAL Real<decltype(::fsync)> real_fsync{"fsync"};
PARCAST_REAL Real<decltype(::fdatasync)> real_fdatasync{"fdatasync"};

bool makes_a_file(int flags) {
    return (flags & O_CREAT) || (flags & O_TMPFILE) == O_TMPFILE;
}

template <class Signature, class... Arguments>
[[gnu::always_inline]] inline int opened(char const* path, int flags, Real<Signature>& real,
                                         Arguments... arguments) {
    int const pretended = open_pretended_file(path, flags);
    return pretended >= 0 ? pretended : recorded_call<Kind::open_close>(no_object, real, arguments...);
}

template <class Signature>
[[gnu::always_inline]] inline int synchronised(Real<Signature>& real, int descriptor) {
    return recorded_call<Kind::sync>(descriptor_object(descriptor), real, descriptor);
}

}  // namespace
}  // namespace parcast::recorder

using namespace parcast::recorder;

// The mode is an argument only if the call may make a file; reading one that was not passed is undefined.
PARCAST_HOOK int open(char const* path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    mode_t const mode = makes_a_file(flags) ? va_arg(rest, mode_t) : 0;
    va_end(rest);
    return opened(path, flags, real_open, path, flags, mode);
}
PARCAST_HOOK int open64(char const* path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    mode_t const mode = makes_a_file(flags) ? va_arg(rest, mode_t) : 0;
    va_end(rest);
    return opened(path, flags, real_open64, path, flags, mode);
}
PARCAST_HOOK int openat(int folder, char const* path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    mode_t const mode = makes_a_file(flags) ? va_arg(rest, mode_t) : 0;
    va_end(rest);
    return opened(path, flags, real_openat, folder, path, flags, mode);
}
PARCAST_HOOK int openat64(int folder, char const* path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    mode_t const mode = makes_a_file(flags) ? va_arg(rest, mode_t) : 0;
    va_end(rest);
    return opened(path, flags, real_openat64, folder, path, flags, mode);
}

// What a fortified program calls when it passes no mode.
PARCAST_HOOK int __open_2(char const* path, int flags) {
    return opened(path, flags, real_open_2, path, flags);
}
PARCAST_HOOK int __open64_2(char const* path, int flags) {
    return opened(path, flags, real_open64_2, path, flags);
}
PARCAST_HOOK int __openat_2(int folder, char const* path, int flags) {
    return opened(path, flags, real_openat_2, folder, path, flags);
}
PARCAST_HOOK int __openat64_2(int folder, char const* path, int flags) {
    return opened(path, flags, real_openat64_2, folder, path, flags);
}

PARCAST_HOOK int creat(char const* path, mode_t mode) {
    return recorded_call<Kind::open_close>(no_object, real_creat, path, mode);
}
PARCAST_HOOK int close(int descriptor) {
    if (is_timer(descriptor) && is_recording())  // not of a vfork child, which has descriptors of its own
        note_timer(descriptor, false);
    return recorded_call<Kind::open_close>(descriptor_object(descriptor), real_close, descriptor);
}
PARCAST_HOOK int fsync(int descriptor) {
    return synchronised(real_fsync, descriptor);
}
PARCAST_HOOK int fdatasync(int descriptor) {
    return synchronised(real_fdatasync, descriptor);
}
