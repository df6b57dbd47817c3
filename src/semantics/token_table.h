// The tokens of one condition, or the units of a semaphore, when each wait takes the one that it took in the
// recording: which have been handed out, and who waits for those that have not. Or the activations of one
// thread: who has come to each of its meetings. Memory: 4 bytes for each number up to the highest used.

#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "core/id.h"

namespace parcast::semantics {

class TokenTable {
public:
    // True if the token has been handed out; else the thread waits for it from now on.
    bool take(std::uint32_t token, ThreadId thread) {
        auto& entry = at(token);
        if (entry == granted)
            return true;
        entry = thread.value;
        return false;
    }

    // The thread that waited for it; none if nobody did.
    ThreadId grant(std::uint32_t token) {
        ThreadId waiter;
        waiter.value = std::exchange(at(token), granted);
        return waiter.value == granted ? ThreadId::none() : waiter;
    }

    // Who came to this meeting first, and waits there; none: the thread does so from now on.
    ThreadId meet(std::uint32_t number, ThreadId thread) {
        auto const waiter = leave(number);
        if (waiter.is_none())
            at(number) = thread.value;
        return waiter;
    }

    // Who waits at this meeting, but no longer; none if nobody does.
    ThreadId leave(std::uint32_t number) {
        ThreadId waiter;
        waiter.value = std::exchange(at(number), unused);
        return waiter;
    }

private:
    static constexpr std::uint32_t unused = ThreadId::none().value;
    static constexpr std::uint32_t granted = unused - 1;

    std::uint32_t& at(std::uint32_t token) {
        if (token >= entries_.size())
            entries_.resize(std::size_t{token} + 1, unused);
        return entries_[token];
    }

    std::vector<std::uint32_t> entries_;  // by token: unused, granted, or the id of the thread that waits
};

}  // namespace parcast::semantics
