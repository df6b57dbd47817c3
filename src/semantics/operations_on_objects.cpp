// Locks, conditions, semaphores and barriers.

#include "semantics/operations.h"

namespace parcast::semantics {

bool Operations::take_exclusive(ObjectState& object, ThreadId thread) const {
    bool const is_free = object.holder.is_none() && object.shared_holders == 0;
    if (!is_free && object.holder != thread)
        return false;
    object.holder = thread;
    ++object.depth;
    return true;
}

Progress Operations::lock(ThreadId thread, ObjectId object) {
    auto& state = objects_[object.index()];
    return take_exclusive(state, thread) ? Progress::proceeds : wait_in(state.waiters, thread, object);
}

Progress Operations::lock_shared(ThreadId thread, ObjectId object) {
    auto& state = objects_[object.index()];
    if (!state.holder.is_none())
        return wait_in(state.readers, thread, object);
    ++state.shared_holders;
    return Progress::proceeds;
}

Progress Operations::try_again(ThreadId thread) {
    auto& state = threads_[thread.index()];
    auto const shared = state.retry == Retry::shared;
    auto const progress = shared ? lock_shared(thread, state.waits_for) : lock(thread, state.waits_for);
    state.retry = Retry::nothing;
    return progress;
}

void Operations::unlock(ObjectId object) {
    auto& state = objects_[object.index()];
    if (state.holder.is_none() || --state.depth > 0)
        return;
    state.holder = ThreadId::none();
    pass_on(object);
}

void Operations::unlock_shared(ObjectId object) {
    auto& state = objects_[object.index()];
    if (!state.holder.is_none())
        return unlock(object);
    if (state.shared_holders == 0 || --state.shared_holders > 0)
        return;
    pass_on(object);
}

// REQUIRES: the object has just become free.
void Operations::pass_on(ObjectId object) {
    auto& state = objects_[object.index()];
    if (!state.readers.empty())
        return pass_to_readers(state);
    if (state.waiters.empty())
        return;
    auto const next = state.waiters.pop(links_);
    if (locking_ == Locking::hand_off) {
        take_exclusive(state, next);
        release(next, Release::What::resumes);
    } else {
        threads_[next.index()].retry = Retry::exclusive;
        release(next, Release::What::retries);
    }
}

void Operations::pass_to_readers(ObjectState& object) {
    while (!object.readers.empty()) {
        auto const reader = object.readers.pop(links_);
        if (locking_ == Locking::hand_off) {
            ++object.shared_holders;
            release(reader, Release::What::resumes);
        } else {
            threads_[reader.index()].retry = Retry::shared;
            release(reader, Release::What::retries);
        }
    }
}

// False if there is none for it yet; the thread is then on the list of those who wait.
bool Operations::take_token(ThreadId thread, ObjectId condition, TokenWait wait) {
    auto& state = objects_[condition.index()];
    if (state.pairs)
        return !wait.token || *wait.token < state.count ||
               tokens_[condition.index()].take(*wait.token, thread);
    if (state.count > 0) {
        --state.count;
        return true;
    }
    state.waiters.push(links_, thread);
    return false;
}

Progress Operations::wait_for_token(ThreadId thread, ObjectId condition, TokenWait wait) {
    if (take_token(thread, condition, wait))
        return Progress::proceeds;
    auto& state = threads_[thread.index()];
    state.mutex = wait.mutex;
    state.waits_for = condition;
    if (!wait.mutex.is_none() && objects_[wait.mutex.index()].holder == thread)
        unlock(wait.mutex);
    return Progress::blocks;
}

Progress Operations::signal(ObjectId condition, TokenGrant grant) {
    auto& state = objects_[condition.index()];
    if (state.pairs) {
        for (std::uint32_t i = 0; i < grant.tokens; ++i) {
            auto const waiter = tokens_[condition.index()].grant(grant.first + i);
            if (!waiter.is_none())
                leave_condition(waiter);
        }
        return Progress::proceeds;
    }
    std::int64_t tokens = grant.tokens;
    for (; tokens > 0 && !state.waiters.empty(); --tokens)
        leave_condition(state.waiters.pop(links_));
    state.count += tokens;
    return Progress::proceeds;
}

// The thread has its token; what remains is the mutex.
void Operations::leave_condition(ThreadId thread) {
    auto& state = threads_[thread.index()];
    if (state.mutex.is_none() || locking_ == Locking::ignored)
        return release(thread, Release::What::resumes);
    if (locking_ == Locking::barging) {
        state.waits_for = state.mutex;
        state.retry = Retry::exclusive;
        return release(thread, Release::What::retries);
    }
    auto const progress = lock(thread, state.mutex);
    release(thread, progress == Progress::blocks ? Release::What::requeues : Release::What::resumes);
}

Progress Operations::arrive(ThreadId thread, ConditionBarrier const& barrier) {
    auto& state = objects_[barrier.condition.index()];
    if (++state.arrived >= barrier.participants) {
        state.arrived = 0;
        while (!state.waiters.empty())
            leave_condition(state.waiters.pop(links_));
        return Progress::proceeds;
    }
    threads_[thread.index()].mutex = barrier.mutex;
    if (!barrier.mutex.is_none() && objects_[barrier.mutex.index()].holder == thread)
        unlock(barrier.mutex);
    return wait_in(state.waiters, thread, barrier.condition);
}

Progress Operations::barrier_wait(ThreadId thread, ObjectId barrier, std::int64_t participants) {
    auto& state = objects_[barrier.index()];
    if (++state.arrived < participants)
        return wait_in(state.waiters, thread, barrier);
    state.arrived = 0;
    while (!state.waiters.empty())
        release(state.waiters.pop(links_), Release::What::resumes);
    return Progress::proceeds;
}

Progress Operations::semaphore_wait(ThreadId thread, ObjectId semaphore) {
    auto& state = objects_[semaphore.index()];
    if (state.count == 0)
        return wait_in(state.waiters, thread, semaphore);
    --state.count;
    return Progress::proceeds;
}

Progress Operations::semaphore_post(ObjectId semaphore, std::int64_t units) {
    auto& state = objects_[semaphore.index()];
    for (; units > 0 && !state.waiters.empty(); --units)
        release(state.waiters.pop(links_), Release::What::resumes);
    state.count += units;
    return Progress::proceeds;
}

}  // namespace parcast::semantics
