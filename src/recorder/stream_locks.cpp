#include "recorder/stream_locks.h"

#include <string.h>

namespace parcast::recorder {

constinit StreamUsers stream_users = {};

void forget_stream(FILE const* file) {
    uint64_t& slot = stream_users.slot_of(file);
    if ((__atomic_load_n(&slot, __ATOMIC_RELAXED) ^ StreamUsers::tag_of(file)) >> 32 == 0)
        __atomic_store_n(&slot, 0, __ATOMIC_RELAXED);
}

void forget_all_streams() {
    memset(stream_users.slots, 0, sizeof stream_users.slots);
}

}  // namespace parcast::recorder
