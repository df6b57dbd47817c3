#include "recorder/kept_scheduling.h"

#include "recorder/recording.h"
#include "recorder/stream_pool.h"

namespace parcast::recorder {
namespace {

struct Early {
    uint32_t kernel_id;  // 0: free
    KeptScheduling kept;
};

// More threads than that rarely wait for their begin, and more processes are rarely bound: the oldest give
// way.
constexpr uint32_t early_count = 64;
constinit Early early[early_count] = {};
constinit uint32_t next_early = 0;

Early* find_early(uint32_t kernel_id) {
    for (Early& each : early)
        if (__atomic_load_n(&each.kernel_id, __ATOMIC_ACQUIRE) == kernel_id)
            return &each;
    return nullptr;
}

KeptScheduling& make_early(uint32_t kernel_id) {
    Early& made = early[__atomic_fetch_add(&next_early, 1, __ATOMIC_RELAXED) % early_count];
    __atomic_store_n(&made.kernel_id, 0, __ATOMIC_RELAXED);
    made.kept = {};
    __atomic_store_n(&made.kernel_id, kernel_id, __ATOMIC_RELEASE);
    return made.kept;
}

KeptScheduling* place_of(uint32_t kernel_id) {
    if (kernel_id == 0)
        return current_stream ? &current_stream->scheduling : nullptr;
    if (Stream* const stream = StreamPool::find(kernel_id))
        return &stream->scheduling;
    Early* const waiting = find_early(kernel_id);
    return waiting ? &waiting->kept : nullptr;
}

}  // namespace

KeptScheduling const* find_kept(uint32_t kernel_id) {
    return recording.running ? place_of(kernel_id) : nullptr;
}

KeptScheduling& kept_for(uint32_t kernel_id) {
    KeptScheduling* const place = place_of(kernel_id);
    return place ? *place : make_early(kernel_id);
}

void take_kept_early(uint32_t kernel_id, KeptScheduling& own) {
    Early* const waiting = __atomic_load_n(&next_early, __ATOMIC_RELAXED) ? find_early(kernel_id) : nullptr;
    if (!waiting)
        return;
    if (waiting->kept.policy.is_kept)
        own.policy = waiting->kept.policy;
    if (waiting->kept.has_mask) {
        own.has_mask = true;
        __builtin_memcpy(own.mask, waiting->kept.mask, sizeof own.mask);
    }
    __atomic_store_n(&waiting->kernel_id, 0, __ATOMIC_RELEASE);
}

}  // namespace parcast::recorder
