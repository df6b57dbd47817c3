// Events that no processor owns: ends of sleeps and of input and output, and the periodic balancing. A
// binary heap; the order of events at one instant is that of EventKey.

#pragma once

#include <functional>
#include <queue>
#include <vector>

#include "simulate/event_key.h"

namespace parcast::simulate {

class TimerQueue {
public:
    void push(EventKey key) { heap_.push(Entry{key}); }
    // is_never() when no timer is pending.
    EventKey first() const { return heap_.empty() ? EventKey{} : heap_.top().key; }
    void pop() { heap_.pop(); }

private:
    struct Entry {
        EventKey key;
        friend bool operator<(Entry a, Entry b) { return b.key < a.key; }  // the earliest on top
    };
    std::priority_queue<Entry> heap_;
};

}  // namespace parcast::simulate
