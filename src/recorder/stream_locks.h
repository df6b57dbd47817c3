// The locks of stdio's streams. libc takes the lock of a FILE in every call on it (flockfile), without a call
// that a hook sees. A stream that several threads use is therefore recorded as a mutex at its address: each
// call is a lock and an unlock around what else is recorded of it.
//
// 1. A stream that one thread uses alone has no such events, and costs a comparison. It is announced
//    (mutex_init with wire::stream_lock) when a second thread uses it.
// 2. Nothing of ours stays locked while libc works: a thread may be cancelled there. So the lock is tried and
//    let go before the call, which takes it once more. Who waits, waits here.
// 3. Two streams whose addresses share a slot take it from each other; both are then announced later.

#pragma once

#include <stdint.h>
#include <stdio.h>
#include <stdio_ext.h>

#include "recorder/real.h"
#include "recorder/stream.h"

namespace parcast::recorder {

PARCAST_REAL Real<decltype(::flockfile)> real_flockfile{"flockfile"};
PARCAST_REAL Real<decltype(::ftrylockfile)> real_ftrylockfile{"ftrylockfile"};
PARCAST_REAL Real<decltype(::funlockfile)> real_funlockfile{"funlockfile"};

// Who used a stream: upper half: which stream; then whether threads share it; else the thread's Stream.
struct StreamUsers {
    static constexpr unsigned slot_bits = 8;
    static constexpr uint64_t shared = uint64_t{1} << 31;
    static constexpr uint64_t user_mask = shared - 1;

    uint64_t slots[1u << slot_bits];

    static uint64_t spread(FILE const* file) {
        return reinterpret_cast<uintptr_t>(file) * uint64_t{0x9e3779b97f4a7c15};
    }
    static uint64_t tag_of(FILE const* file) { return spread(file) << 32; }
    uint64_t& slot_of(FILE const* file) { return slots[spread(file) >> (64 - slot_bits)]; }
    static uint64_t user_of(Stream const* stream) {
        return reinterpret_cast<uintptr_t>(stream) / wire::page_bytes & user_mask;
    }
};
extern constinit StreamUsers stream_users;

// Who opens a stream is its first user: what another thread does with it is recorded from the beginning.
inline void note_opener(FILE const* file, Stream const* stream) {
    __atomic_store_n(&stream_users.slot_of(file), StreamUsers::tag_of(file) | StreamUsers::user_of(stream),
                     __ATOMIC_RELAXED);
}
void forget_stream(FILE const* file);
void forget_all_streams();

// Whether calls on the stream are recorded as those of a lock.
[[gnu::always_inline]] inline bool is_shared(FILE const* file, Stream* stream, void const* site) {
    uint64_t& slot = stream_users.slot_of(file);
    uint64_t known = __atomic_load_n(&slot, __ATOMIC_RELAXED);
    uint64_t const tag = StreamUsers::tag_of(file);
    uint64_t const user = StreamUsers::user_of(stream);
    if ((known ^ tag) >> 32 != 0) {
        __atomic_store_n(&slot, tag | user, __ATOMIC_RELAXED);
        return false;
    }
    if ((known & StreamUsers::shared) == 0) {
        if ((known & StreamUsers::user_mask) == user)
            return false;
        if (__atomic_compare_exchange_n(&slot, &known, known | StreamUsers::shared, false, __ATOMIC_RELAXED,
                                        __ATOMIC_RELAXED))
            stream->event<Kind::mutex_init>(file, site, no_flags, wire::stream_lock);
    }
    return true;
}

// The lock of a stream in one call on it, as far as it is recorded. Always inlined into the hook, whose frame
// and site are those of the events.
class StreamLock {
public:
    // `file`: null if the call concerns none.
    [[gnu::always_inline]] StreamLock(FILE* file, void const* site) : file_(file), site_(site) {
        Stream* const stream = this_stream();
        if (!stream || !file || !is_shared(file, stream, site) ||
            __fsetlocking(file, FSETLOCKING_QUERY) == FSETLOCKING_BYCALLER)
            return;
        stream_ = stream;
        stream->settle();
        if (__builtin_expect(real_ftrylockfile(file) == 0, 1)) {
            real_funlockfile(file);
            stream->event<Kind::mutex_lock>(file, site, no_flags);
            return;
        }
        stream->blocked<Kind::mutex_lock>(file, site);
        real_flockfile(file);
        real_funlockfile(file);
        stream->resumed(0, no_flags);
    }

    // What the call returned.
    template <class Result>
    [[gnu::always_inline]] Result after(Result result) const {
        if (stream_)
            stream_->release(file_, site_);
        return result;
    }

private:
    Stream* stream_ = nullptr;
    FILE* file_;
    void const* site_;
};

}  // namespace parcast::recorder
