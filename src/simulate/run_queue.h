// The threads that wait for one processor, in the order of a rank: virtual run time for the fair class,
// falling level for the real-time class. A binary heap of 16-byte keys; threads of equal rank leave in
// the order in which they came.
//
// Cost: push and pop O(log waiting), take_allowed O(waiting).

#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/id.h"
#include "simulate/event_key.h"

namespace parcast::simulate {

class RunQueue {
public:
    bool empty() const { return heap_.empty(); }
    std::size_t size() const { return heap_.size(); }

    void push(ThreadId thread, std::int64_t rank) { insert(thread, rank, middle + arrivals_++); }
    // Before all threads of its rank: a preempted real-time thread.
    void push_first(ThreadId thread, std::int64_t rank) { insert(thread, rank, middle - ++returns_); }

    // REQUIRES: not empty.
    std::int64_t first_rank() const { return heap_.front().time; }
    ThreadId first() const { return ThreadId(heap_.front().slot()); }
    ThreadId pop() {
        std::pop_heap(heap_.begin(), heap_.end(), later);
        auto const thread = ThreadId(heap_.back().slot());
        heap_.pop_back();
        return thread;
    }

    std::int64_t highest_rank() const {
        return std::max_element(heap_.begin(), heap_.end(),
                                [](EventKey a, EventKey b) { return a.time < b.time; })
            ->time;
    }

    // The first thread that satisfies the predicate.
    template <class IsAllowed>
    std::optional<ThreadId> first_allowed(IsAllowed const& is_allowed) const {
        std::optional<EventKey> best;
        for (auto const key : heap_)
            if (is_allowed(ThreadId(key.slot())) && (!best || key < *best))
                best = key;
        if (!best)
            return std::nullopt;
        return ThreadId(best->slot());
    }

    void remove(ThreadId thread) {
        std::erase_if(heap_, [&](EventKey key) { return key.slot() == thread.value; });
        std::make_heap(heap_.begin(), heap_.end(), later);
    }

private:
    // Arrivals wrap after 2^31: then two threads of equal rank may change places, the same way each time.
    static constexpr std::uint32_t middle = 0x80000000;

    static bool later(EventKey a, EventKey b) { return b < a; }

    void insert(ThreadId thread, std::int64_t rank, std::uint32_t arrival) {
        heap_.push_back({rank, static_cast<std::uint64_t>(arrival) << 32 | thread.value});
        std::push_heap(heap_.begin(), heap_.end(), later);
    }

    std::vector<EventKey> heap_;
    std::uint32_t arrivals_ = 0;
    std::uint32_t returns_ = 0;
};

}  // namespace parcast::simulate
