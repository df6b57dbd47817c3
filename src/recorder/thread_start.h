// Creating a recorded thread: the creator takes a stream and a number, the new thread starts in our
// trampoline, which finds the host's routine in that stream. Nothing is allocated.

#pragma once

#include "recorder/calls/scheduling.h"
#include "recorder/calls/thread_attributes.h"
#include "recorder/stream.h"
#include "recorder/thread_life.h"

namespace parcast::recorder {

// Calls create(trampoline, trampoline's argument) for the thread that is to run routine(argument), or
// create(routine, argument) if it cannot be recorded, and records it. `flags_of` tells from create's
// result what went wrong. `create` uses the attributes.
template <class Routine, class Create, class Flags>
auto create_thread(Stream* creator, CreationAttributes const& attributes, Routine* routine, void* argument,
                   void const* site, Routine* trampoline, Create&& create, Flags&& flags_of) {
    Stream* const started = ThreadLife::announce();
    if (!started)
        return create(routine, argument);
    started->start = {reinterpret_cast<void*>(routine), argument, creator->take_lent_state(), nullptr};
    started->scheduling = inherited(creator->scheduling);
    if (cpu_set_t const* const mask = attributes.mask()) {
        keep_mask(started->scheduling, sizeof *mask, mask);
        started->start.bound_at = site;
    }
    // The new thread may have ended, and its stream be in use again, when create() returns.
    uint32_t const number = ThreadLife::number_of(started);
    auto const result = create(trampoline, started);
    uint64_t const flags = flags_of(result);
    if (flags != no_flags)
        ThreadLife::retract(started);
    creator->event<Kind::thread_create>(no_object, site, flags, number, reinterpret_cast<uint64_t>(routine));
    return result;
}

// In the new thread: the stream becomes its own; what it is to run. Its creator may have bound it otherwise
// meanwhile: what holds is recorded.
inline StartRecord begin_thread(void* started) {
    auto* const stream = static_cast<Stream*>(started);
    StartRecord const start = stream->start;
    ThreadLife::begin(stream);
    if (start.bound_at)
        stream->event<Kind::set_affinity>(no_object, start.bound_at, no_flags, uint64_t{0},
                                          stream->scheduling.mask[0]);
    return start;
}

}  // namespace parcast::recorder
