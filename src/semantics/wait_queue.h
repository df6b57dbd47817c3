// First in, first out queues of waiting threads. A thread waits in at most one queue at a time, so one
// array of links serves all queues and waiting allocates nothing.

#pragma once

#include <vector>

#include "core/id.h"

namespace parcast::semantics {

using WaitLinks = std::vector<ThreadId>;  // by thread: who stands behind it

struct WaitQueue {
    ThreadId first = ThreadId::none();
    ThreadId last = ThreadId::none();

    bool empty() const { return first.is_none(); }

    void push(WaitLinks& links, ThreadId thread) {
        links[thread.index()] = ThreadId::none();
        if (empty())
            first = thread;
        else
            links[last.index()] = thread;
        last = thread;
    }

    // REQUIRES: not empty.
    ThreadId pop(WaitLinks const& links) {
        auto const thread = first;
        first = links[thread.index()];
        return thread;
    }

    // Takes those out for whom this holds, and returns them in their order. Cost: O(length).
    template <class Predicate>
    WaitQueue take_out(WaitLinks& links, Predicate const& holds) {
        WaitQueue taken;
        WaitQueue left;
        while (!empty()) {
            auto const thread = pop(links);
            (holds(thread) ? taken : left).push(links, thread);
        }
        *this = left;
        return taken;
    }
};

}  // namespace parcast::semantics
