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

struct Told {
    uint64_t value;
    uint64_t flags;
};

// `tell` makes of the result what the event tells of it.
template <Kind kind, class Call, class Tell, class... Words>
[[gnu::always_inline]] inline auto told_call(void const* object, Call&& call, Tell&& tell, Words... payload) {
    Stream* const stream = this_stream();
    if (!stream)
        return call();
    stream->blocked<kind>(object, call_site(), payload...);
    auto const result = call();
    Told const told = tell(result);
    stream->returned(told.value, told.flags);
    return result;
}

template <Kind kind, class Signature, class... Arguments>
[[gnu::always_inline]] inline auto recorded_call(void const* object, Real<Signature>& real,
                                                 Arguments... arguments) {
    return told_call<kind>(
        object, [&] { return real(arguments...); },
        [](auto result) { return Told{value_of(result), failure_of(result)}; });
}

template <class Signature, class... Arguments>
[[gnu::always_inline]] inline auto input(Real<Signature>& real, int descriptor, Arguments... arguments) {
    return recorded_call<Kind::input>(descriptor_object(descriptor), real, descriptor, arguments...);
}

template <class Signature, class... Arguments>
[[gnu::always_inline]] inline auto output(Real<Signature>& real, int descriptor, Arguments... arguments) {
    return recorded_call<Kind::output>(descriptor_object(descriptor), real, descriptor, arguments...);
}

// The payload of a wait without a limit.
inline constexpr uint64_t no_timeout = ~uint64_t{0};

}  // namespace parcast::recorder
