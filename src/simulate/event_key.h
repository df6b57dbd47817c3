// The total order of simulated events: by time, then kind, then number of the slot (a processor, a
// thread) that it belongs to. A slot has at most one pending event, so no two keys are equal and a run
// does not depend on how a queue is built. 16 bytes; what happens is looked up by the slot.

#pragma once

#include <cstdint>
#include <limits>

namespace parcast::simulate {

struct EventKey {
    std::int64_t time = std::numeric_limits<std::int64_t>::max();
    std::uint64_t order = std::numeric_limits<std::uint64_t>::max();

    std::uint32_t slot() const { return static_cast<std::uint32_t>(order); }
    bool is_never() const { return time == std::numeric_limits<std::int64_t>::max(); }

    friend bool operator<(EventKey a, EventKey b) { return a.number() < b.number(); }
    // Without a branch: the outcome is as good as random in a queue, and a misprediction costs more.
    friend EventKey min(EventKey a, EventKey b) {
        auto const chosen = -static_cast<std::int64_t>(b < a);
        return {a.time ^ ((a.time ^ b.time) & chosen),
                a.order ^ ((a.order ^ b.order) & static_cast<std::uint64_t>(chosen))};
    }
    friend bool operator==(EventKey, EventKey) = default;

private:
    __int128 number() const {
        return static_cast<__int128>(static_cast<unsigned __int128>(time) << 64 | order);
    }
};
static_assert(sizeof(EventKey) == 16);

}  // namespace parcast::simulate
