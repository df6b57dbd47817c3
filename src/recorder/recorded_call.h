// The one shape of a hook for calls that do I/O: arrival, the real call, return. Bytes, ready descriptors
// or a new descriptor are the event's result.
//
//     PARCAST_HOOK ssize_t read(int descriptor, void* buffer, size_t size) {
//         return recorded_call<Kind::input>(descriptor_object(descriptor), real_read, descriptor, buffer,
//         size);
//     }
//
// Always inlined, so that the call site is that of the hook. Costs two events; the CPU clock is read only
// if the thread was switched out, as a call that blocks is.

#pragma once

#include <stddef.h>
#include <stdint.h>

#include "recorder/real.h"
#include "recorder/stream.h"

namespace parcast::recorder {

// What a call returned, as the event tells it. Pointers are null in case of failure.
inline uint64_t failure_of(long result) {
    return result < 0 ? wire::flag_failed : no_flags;
}
inline uint64_t value_of(long result) {
    return result < 0 ? 0 : static_cast<uint64_t>(result);
}

template <Kind kind, class Signature, class... Arguments>
[[gnu::always_inline]] inline auto recorded_call(void const* object, Real<Signature>& real,
                                                 Arguments... arguments) {
    Stream* const stream = this_stream();
    if (!stream)
        return real(arguments...);
    stream->blocked<kind>(object, call_site());
    auto const result = real(arguments...);
    stream->returned(value_of(result), failure_of(result));
    return result;
}

}  // namespace parcast::recorder
