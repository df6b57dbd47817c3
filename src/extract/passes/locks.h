// Locks: mutexes, spin locks, reader-writer locks.
//
// 1. A try that succeeded is a lock that says so (by_a_try), one that failed is a boundary.
// 2. A timed lock that timed out is a delay of the requested time, else a lock.
// 3. Nested locks of one thread on one mutex (recursive, or refused by an error-checking mutex) are one
//    pair: the outermost lock and unlock. Read locks nest as well.
// 4. A mutex that is ever unlocked by another thread than the one that holds it is used as a binary
//    semaphore, and replayed as one. Any other unlock without a lock before it is a boundary, and counted
//    as a doubt.

#pragma once

#include <cstdint>
#include <vector>

#include "core/id.h"
#include "extract/plan.h"
#include "timeline/timeline.h"

namespace parcast::extract {

// What an event did to the locks of its thread.
enum class LockChange : std::uint8_t { none, acquired, nested, released, unnested, not_held };

// The locks that one thread holds, kept up to date event by event. Cost: linear in the locks held at once.
class HeldLocks {
public:
    LockChange observe(Event const& event);

    bool empty() const { return held_.empty(); }
    bool holds(std::uint32_t object) const { return find(object) != nullptr; }
    // The lock that is held if it is the only one; else no_object.
    std::uint32_t only() const { return held_.size() == 1 ? held_.front().object : no_object; }
    // 1 for the lock that was taken first, 2 for the next, ...; 0 if it is not held.
    std::uint32_t rank_of(std::uint32_t object) const;
    // Where the outermost lock was taken; none if it is not held.
    SiteId site_of(std::uint32_t object) const;

private:
    struct Held {
        std::uint32_t object;
        std::uint32_t depth;
        SiteId site;
    };
    Held const* find(std::uint32_t object) const;
    LockChange acquire(Event const& event);
    LockChange release(std::uint32_t object);

    std::vector<Held> held_;
};

void plan_locks(Timeline const& recorded, Plan& plan);

}  // namespace parcast::extract
