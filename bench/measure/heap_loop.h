// The textbook event loop, as a baseline for simulators: std::priority_queue of (time, sequence), the
// earliest event popped and one pushed in its place some time later.

#pragma once

#include <cstdint>
#include <functional>
#include <queue>
#include <random>
#include <vector>

namespace parcast::bench {

// Time of the last event, after `events` of them with `pending` in the queue.
inline std::int64_t heap_loop(std::int64_t events, std::uint32_t pending) {
    struct Pending {
        std::int64_t time;
        std::uint64_t sequence;
        bool operator>(Pending const& other) const {
            return time != other.time ? time > other.time : sequence > other.sequence;
        }
    };
    std::minstd_rand random(7);
    std::priority_queue<Pending, std::vector<Pending>, std::greater<>> queue;
    std::uint64_t sequence = 0;
    for (; sequence < pending; ++sequence)
        queue.push({static_cast<std::int64_t>(random() % 1024), sequence});
    std::int64_t now = 0;
    for (std::int64_t i = 0; i < events; ++i) {
        now = queue.top().time;
        queue.pop();
        queue.push({now + 1 + static_cast<std::int64_t>(random() % 1024), sequence++});
    }
    return now;
}

}  // namespace parcast::bench
