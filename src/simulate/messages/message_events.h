// Events of a message replay that have not happened yet, in many small queues: those of a rank's operations,
// of the messages on their way to it. All events lie in one pool; a queue is the place of its first.
//
// A queue is a pairing heap (Fredman, Sedgewick, Sleator and Tarjan 1986): adding and looking at the first
// takes constant time, taking the first O(log n) amortised; a queue of one or two entries, the usual case, is
// nothing but links.

#pragma once

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

namespace parcast::simulate {

// The total order of what waits for the same.
struct MessageEventOrder {
    std::int64_t time = 0;        // when it could happen, were everything free
    std::int64_t entered = 0;     // the instant at which it was known that it would happen
    std::uint32_t origin = 0;     // the rank that made it so
    std::uint32_t operation = 0;  // of the program; of a message: its send

    friend bool operator<(MessageEventOrder const& a, MessageEventOrder const& b) {
        if (a.time != b.time)
            return a.time < b.time;
        return std::tie(a.entered, a.origin, a.operation) < std::tie(b.entered, b.origin, b.operation);
    }
};

// What an event comes after, in the numbers of the log (message_logger.h).
struct MessageCause {
    enum class What : std::uint8_t {
        nothing,   // the begin of the run
        interval,  // an earlier one of any rank
        message,   // its arrival
    };
    std::uint32_t number = 0;
    What what = What::nothing;
};

struct MessageEvent {
    MessageEventOrder order;
    std::uint64_t bytes = 0;  // of a message, as the next two
    std::uint32_t tag = 0;
    bool is_synchronous = false;  // its sender waits until it is matched
    MessageCause cause;
};

class MessageEvents {
public:
    using Place = std::uint32_t;
    static constexpr Place nowhere = 0xffffffff;

    MessageEvent& operator[](Place place) { return slots_[place].event; }
    MessageEvent const& operator[](Place place) const { return slots_[place].event; }

    Place make(MessageEvent const& event) {
        auto place = free_;
        if (place == nowhere) {
            place = static_cast<Place>(slots_.size());
            slots_.emplace_back();
        } else {
            free_ = slots_[place].next;
        }
        slots_[place] = {.event = event};
        return place;
    }
    void destroy(Place place) {
        slots_[place].next = free_;
        free_ = place;
    }

    void push(Place& queue, Place added) { queue = queue == nowhere ? added : joined(queue, added); }

    // Takes the first out of the queue; it still exists. REQUIRES: the queue is not empty.
    Place pop(Place& queue) {
        auto const taken = queue;
        queue = slots_[taken].child == nowhere ? nowhere : joined_siblings(slots_[taken].child);
        slots_[taken].child = nowhere;
        return taken;
    }

private:
    struct alignas(64) Slot {  // in one cache line
        MessageEvent event;
        Place child = nowhere;
        Place next = nowhere;  // sibling; of what is free, too
    };

    Place joined(Place a, Place b) {
        if (slots_[b].event.order < slots_[a].event.order)
            std::swap(a, b);
        slots_[b].next = slots_[a].child;
        slots_[a].child = b;
        return a;
    }

    // In pairs from the left, then all of them from the right.
    Place joined_siblings(Place first) {
        auto pairs = nowhere;
        while (first != nowhere) {
            auto const second = slots_[first].next;
            slots_[first].next = nowhere;
            auto pair = first;
            first = nowhere;
            if (second != nowhere) {
                first = slots_[second].next;
                slots_[second].next = nowhere;
                pair = joined(pair, second);
            }
            slots_[pair].next = pairs;
            pairs = pair;
        }
        auto all = pairs;
        pairs = slots_[all].next;
        slots_[all].next = nowhere;
        while (pairs != nowhere) {
            auto const next = slots_[pairs].next;
            slots_[pairs].next = nowhere;
            all = joined(all, pairs);
            pairs = next;
        }
        return all;
    }

    std::vector<Slot> slots_;
    Place free_ = nowhere;
};

}  // namespace parcast::simulate
