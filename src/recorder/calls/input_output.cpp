// Reading and writing descriptors.

#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

#include "recorder/calls/timers.h"
#include "recorder/recorded_call.h"

namespace parcast::recorder {
namespace {

// The fortified ones are not declared without _FORTIFY_SOURCE.
using ReadChecked = ssize_t(int, void*, size_t, size_t);
using PositionedReadChecked = ssize_t(int, void*, size_t, off_t, size_t);

PARCAST_REAL Real<decltype(::read)> real_read{"read"};
PARCAST_REAL Real<decltype(::write)> real_write{"write"};
PARCAST_REAL Real<decltype(::readv)> real_readv{"readv"};
PARCAST_REAL Real<decltype(::writev)> real_writev{"writev"};
PARCAST_REAL Real<decltype(::pread)> real_pread{"pread"};
PARCAST_REAL Real<decltype(::pwrite)> real_pwrite{"pwrite"};
PARCAST_REAL Real<decltype(::pread64)> real_pread64{"pread64"};
PARCAST_REAL Real<decltype(::pwrite64)> real_pwrite64{"pwrite64"};
PARCAST_REAL Real<decltype(::preadv)> real_preadv{"preadv"};
PARCAST_REAL Real<decltype(::pwritev)> real_pwritev{"pwritev"};
PARCAST_REAL Real<decltype(::preadv64)> real_preadv64{"preadv64"};
PARCAST_REAL Real<decltype(::pwritev64)> real_pwritev64{"pwritev64"};
PARCAST_REAL Real<decltype(::preadv2)> real_preadv2{"preadv2"};
PARCAST_REAL Real<decltype(::pwritev2)> real_pwritev2{"pwritev2"};
PARCAST_REAL Real<decltype(::preadv64v2)> real_preadv64v2{"preadv64v2"};
PARCAST_REAL Real<decltype(::pwritev64v2)> real_pwritev64v2{"pwritev64v2"};
PARCAST_REAL Real<ReadChecked> real_read_chk{"__read_chk"};
PARCAST_REAL Real<PositionedReadChecked> real_pread_chk{"__pread_chk"};
PARCAST_REAL Real<PositionedReadChecked> real_pread64_chk{"__pread64_chk"};

// A timer's ticks are naps: the event is that of a wait for readiness that ran out. What reads another number
// of bytes is a timer no more: the descriptor was closed and made anew by calls that are not seen.
template <class Signature, class... Arguments>
[[gnu::always_inline]] inline ssize_t ticks(Real<Signature>& real, int descriptor, Arguments... arguments) {
    auto const tell = [descriptor](ssize_t result) {
        bool const has_ticked = result == ssize_t{sizeof(uint64_t)};
        if (result >= 0 && !has_ticked)
            note_timer(descriptor, false);
        return Told{0, has_ticked ? wire::flag_timed_out : failure_of(result)};
    };
    return told_call<Kind::poll>(
        descriptor_object(descriptor), [&] { return real(descriptor, arguments...); }, tell, no_timeout);
}

}  // namespace
}  // namespace parcast::recorder

using namespace parcast::recorder;

PARCAST_HOOK ssize_t read(int descriptor, void* buffer, size_t size) {
    if (is_timer(descriptor))
        return ticks(real_read, descriptor, buffer, size);
    return input(real_read, descriptor, buffer, size);
}
PARCAST_HOOK ssize_t __read_chk(int descriptor, void* buffer, size_t size, size_t room) {
    if (is_timer(descriptor))
        return ticks(real_read_chk, descriptor, buffer, size, room);
    return input(real_read_chk, descriptor, buffer, size, room);
}
PARCAST_HOOK ssize_t readv(int descriptor, iovec const* parts, int count) {
    return input(real_readv, descriptor, parts, count);
}
PARCAST_HOOK ssize_t pread(int descriptor, void* buffer, size_t size, off_t offset) {
    return input(real_pread, descriptor, buffer, size, offset);
}
PARCAST_HOOK ssize_t pread64(int descriptor, void* buffer, size_t size, off64_t offset) {
    return input(real_pread64, descriptor, buffer, size, offset);
}
PARCAST_HOOK ssize_t __pread_chk(int descriptor, void* buffer, size_t size, off_t offset, size_t room) {
    return input(real_pread_chk, descriptor, buffer, size, offset, room);
}
PARCAST_HOOK ssize_t __pread64_chk(int descriptor, void* buffer, size_t size, off_t offset, size_t room) {
    return input(real_pread64_chk, descriptor, buffer, size, offset, room);
}
PARCAST_HOOK ssize_t preadv(int descriptor, iovec const* parts, int count, off_t offset) {
    return input(real_preadv, descriptor, parts, count, offset);
}
PARCAST_HOOK ssize_t preadv64(int descriptor, iovec const* parts, int count, off64_t offset) {
    return input(real_preadv64, descriptor, parts, count, offset);
}
PARCAST_HOOK ssize_t preadv2(int descriptor, iovec const* parts, int count, off_t offset, int flags) {
    return input(real_preadv2, descriptor, parts, count, offset, flags);
}
PARCAST_HOOK ssize_t preadv64v2(int descriptor, iovec const* parts, int count, off64_t offset, int flags) {
    return input(real_preadv64v2, descriptor, parts, count, offset, flags);
}

PARCAST_HOOK ssize_t write(int descriptor, void const* buffer, size_t size) {
    return output(real_write, descriptor, buffer, size);
}
PARCAST_HOOK ssize_t writev(int descriptor, iovec const* parts, int count) {
    return output(real_writev, descriptor, parts, count);
}
PARCAST_HOOK ssize_t pwrite(int descriptor, void const* buffer, size_t size, off_t offset) {
    return output(real_pwrite, descriptor, buffer, size, offset);
}
PARCAST_HOOK ssize_t pwrite64(int descriptor, void const* buffer, size_t size, off64_t offset) {
    return output(real_pwrite64, descriptor, buffer, size, offset);
}
PARCAST_HOOK ssize_t pwritev(int descriptor, iovec const* parts, int count, off_t offset) {
    return output(real_pwritev, descriptor, parts, count, offset);
}
PARCAST_HOOK ssize_t pwritev64(int descriptor, iovec const* parts, int count, off64_t offset) {
    return output(real_pwritev64, descriptor, parts, count, offset);
}
PARCAST_HOOK ssize_t pwritev2(int descriptor, iovec const* parts, int count, off_t offset, int flags) {
    return output(real_pwritev2, descriptor, parts, count, offset, flags);
}
PARCAST_HOOK ssize_t pwritev64v2(int descriptor, iovec const* parts, int count, off64_t offset, int flags) {
    return output(real_pwritev64v2, descriptor, parts, count, offset, flags);
}
