// What waking a thread costs by how long its processor has been idle.

#pragma once

#include <algorithm>
#include <cstdint>

#include "machine/costs.h"

namespace parcast {

// `soon` after 20 us of idling or less, `usual` after 200 or more, in between in proportion: a virtual
// processor that has nothing to do looks for work for a while before it stops. `usual` where the costs of a
// short sleep are not known (Costs::wake_up_soon). The two are wake_up_soon and wake_up, or wake_waiter_soon
// and wake_waiter. Result in ns.
constexpr std::int64_t after_idling(Costs const& costs, std::int64_t idle_ns, Duration soon, Duration usual) {
    constexpr std::int64_t short_ns = 20'000;
    constexpr std::int64_t long_ns = 200'000;
    if (costs.wake_up_soon.ns == 0 || idle_ns >= long_ns)
        return usual.ns;
    auto const beyond_ns = std::max<std::int64_t>(0, idle_ns - short_ns);
    return soon.ns + (usual.ns - soon.ns) / (long_ns - short_ns) * beyond_ns +
           (usual.ns - soon.ns) % (long_ns - short_ns) * beyond_ns / (long_ns - short_ns);
}

}  // namespace parcast
