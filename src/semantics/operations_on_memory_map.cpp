// The kernel's lock on the memory map of a process, which page faults share and changes have alone: rwsem of
// Linux 6.1 (kernel/locking/rwsem.c). Whoever runs may take it before those who were woken for it, and may do
// so again and again, while the first of the queue is woken each time and comes too late.
//
// (1) A change takes the lock where it is free, whoever waits. Else it joins the end of the queue.
// (2) A fault shares the lock with others unless somebody is in the queue. Where only those of the queue
//     are before it, it takes the lock first, and brings along all faults of the queue if its first one is a
//     fault.
// (3) The lock becomes free: if the first of the queue is a fault, all faults of the queue are handed it. If
//     that is a change it is woken, tries again when it runs, and stays the first if it comes too late.
// (4) Under hand_off nobody comes before the queue has been served, and a change is handed the lock, too.
//
// Left out: that the first of the queue is handed the lock after 4 ms; and that changes spin, in a queue of
// their own, before they sleep (docs/decisions/2026-11-28-one-queue-for-the-memory-map.md says why).

#include "core/ensure.h"
#include "semantics/operations.h"

namespace parcast::semantics {

Progress Operations::change_map(ThreadId thread, ObjectId object) {
    auto& map = objects_[object.index()];
    bool const is_woken = retries(thread);
    if (!take_exclusive(map, thread))
        return is_woken ? Progress::blocks : wait_for_map(thread, object, false);
    if (is_woken) {
        debug_ensure(map.waiters.first == thread, "only the first is woken");
        map.waiters.pop(links_);
    }
    return Progress::proceeds;
}

Progress Operations::fault(ThreadId thread, ObjectId object) {
    auto& map = objects_[object.index()];
    if (!map.holder.is_none() || (map.shared_holders > 0 && !map.waiters.empty()))
        return wait_for_map(thread, object, true);
    if (++map.shared_holders == 1 && !map.waiters.empty() && threads_[map.waiters.first.index()].faults)
        admit_faults(map);
    return Progress::proceeds;
}

Progress Operations::wait_for_map(ThreadId thread, ObjectId object, bool faults) {
    threads_[thread.index()].faults = faults;
    return wait_in(objects_[object.index()].waiters, thread, object);
}

// REQUIRES: the lock has just become free.
void Operations::pass_on_map(ObjectState& map) {
    if (map.waiters.empty())
        return;
    auto const first = map.waiters.first;
    if (threads_[first.index()].faults)
        return admit_faults(map);
    if (locking_ == Locking::hand_off)
        return pass_to_writer(map);
    if (retries(first))
        return;  // it is on its way
    threads_[first.index()].retry = Retry::exclusive;
    release(first, Release::What::retries);
}

void Operations::admit_faults(ObjectState& map) {
    auto faults = map.waiters.take_out(links_, [&](ThreadId each) { return threads_[each.index()].faults; });
    for (; !faults.empty(); ++map.shared_holders)
        release(faults.pop(links_), Release::What::resumes);
}

}  // namespace parcast::semantics
