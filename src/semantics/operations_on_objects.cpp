// Locks, conditions, semaphores and barriers.

#include <algorithm>
#include <utility>

#include "semantics/operations.h"

namespace parcast::semantics {

// The thread gets the object now, or when it is its turn. `participants`: of a barrier.
Progress Operations::take_in_turn(ThreadId thread, ObjectId object, Want want, std::int64_t participants) {
    auto& state = threads_[thread.index()];
    state.want = want;
    state.waits_for = object;
    auto const before = releases_.size();
    serve(object, participants);
    auto const own = std::find_if(releases_.begin() + static_cast<std::ptrdiff_t>(before), releases_.end(),
                                  [&](Release const& each) { return each.thread == thread; });
    if (own == releases_.end())
        return Progress::blocks;
    releases_.erase(own);
    return Progress::proceeds;
}

// Gives the object to those whose turn it is, as long as they have come for it and can have it.
void Operations::serve(ObjectId object, std::int64_t participants) {
    auto const& turns = program_.objects[object.index()].turns;
    auto& cursor = cursors_[object.index()];
    auto& state = objects_[object.index()];
    while (cursor.turn < turns.size()) {
        auto const next = turns[cursor.turn].thread;
        auto& taker = threads_[next.index()];
        bool const has_come = taker.want != Want::nothing && taker.waits_for == object;
        if (!has_come || !gets(next, state, taker.want))
            return;
        bool const arrived = std::exchange(taker.want, Want::nothing) == Want::arrival;
        if (++cursor.takes >= turns[cursor.turn].takes)
            cursor = {cursor.turn + 1, 0};
        if (arrived)
            arrives(next, state, participants);
        else
            release(next, Release::What::resumes);
    }
}

bool Operations::gets(ThreadId thread, ObjectState& object, Want want) const {
    switch (want) {
        case Want::exclusive: return take_exclusive(object, thread);
        case Want::shared:
            if (!object.holder.is_none())
                return false;
            ++object.shared_holders;
            return true;
        case Want::unit:
            if (object.count == 0)
                return false;
            --object.count;
            return true;
        case Want::nothing:
        case Want::arrival: break;
    }
    return true;
}

void Operations::arrives(ThreadId thread, ObjectState& barrier, std::int64_t participants) {
    barrier.waiters.push(links_, thread);
    if (++barrier.arrived < participants)
        return;
    barrier.arrived = 0;
    while (!barrier.waiters.empty())
        release(barrier.waiters.pop(links_), Release::What::resumes);
}

bool Operations::take_exclusive(ObjectState& object, ThreadId thread) const {
    bool const is_free = object.holder.is_none() && object.shared_holders == 0;
    if (!is_free && object.holder != thread)
        return false;
    object.holder = thread;
    ++object.depth;
    return true;
}

Progress Operations::lock(ThreadId thread, ObjectId object) {
    if (has_turns(object))
        return take_in_turn(thread, object, Want::exclusive);
    auto& state = objects_[object.index()];
    if (state.is_kernels)
        return change_map(thread, object);
    open_cycles(thread, object, Want::exclusive);
    if (!take_exclusive(state, thread))
        return queue_for_lock(state.waiters, thread, object);
    return has_rounds() ? take_rest(thread, object) : Progress::proceeds;
}

Progress Operations::lock_shared(ThreadId thread, ObjectId object) {
    if (has_turns(object))
        return take_in_turn(thread, object, Want::shared);
    auto& state = objects_[object.index()];
    if (state.is_kernels)
        return fault(thread, object);
    open_cycles(thread, object, Want::shared);
    if (!state.holder.is_none())
        return queue_for_lock(state.readers, thread, object);
    ++state.shared_holders;
    return Progress::proceeds;
}

Progress Operations::queue_for_lock(WaitQueue& queue, ThreadId thread, ObjectId object) {
    threads_[thread.index()].queues = true;
    return wait_in(queue, thread, object);
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
    if (state.shared_holders > 0 && --state.shared_holders == 0)
        pass_on(object);
}

// REQUIRES: the object has just become free.
void Operations::pass_on(ObjectId object) {
    if (has_turns(object))
        return serve(object);
    auto& state = objects_[object.index()];
    if (state.is_kernels)
        pass_on_map(state);
    else if (!state.readers.empty())
        pass_to_readers(state);
    else if (!state.waiters.empty())
        pass_to_writer(state);
}

void Operations::pass_to_writer(ObjectState& object) {
    auto const next = object.waiters.pop(links_);
    if (locking_ == Locking::hand_off) {
        take_exclusive(object, next);
        bool const has_all =
            !has_rounds() || take_rest(next, threads_[next.index()].waits_for) == Progress::proceeds;
        return release(next, has_all ? Release::What::resumes : Release::What::requeues);
    }
    threads_[next.index()].retry = Retry::exclusive;
    release(next, Release::What::retries);
}

void Operations::pass_to_readers(ObjectState& object) {
    if (locking_ == Locking::hand_off)
        return admit_readers(object);
    while (!object.readers.empty()) {
        auto const reader = object.readers.pop(links_);
        threads_[reader.index()].retry = Retry::shared;
        release(reader, Release::What::retries);
    }
}

void Operations::admit_readers(ObjectState& object) {
    for (; !object.readers.empty(); ++object.shared_holders)
        release(object.readers.pop(links_), Release::What::resumes);
}

// False if there is none for it yet; the thread is then on the list of those who wait.
bool Operations::take_token(ThreadId thread, ObjectId condition, TokenWait wait) {
    auto& state = objects_[condition.index()];
    if (state.pairs) {
        bool const takes_any = !wait.token || (wait.at_once && !takes_at_once_as_recorded());
        return takes_any || *wait.token < state.count || tokens_[condition.index()].take(*wait.token, thread);
    }
    if (state.count > 0) {
        --state.count;
        return true;
    }
    state.waiters.push(links_, thread);
    return false;
}

Progress Operations::wait_for_token(ThreadId thread, ObjectId condition, TokenWait wait) {
    bool const has_mutex = !wait.mutex.is_none();
    bool const has_token = take_token(thread, condition, wait);
    // In the recording others may have had the mutex meanwhile.
    bool const gives_it_up = has_mutex && wait.token && !wait.at_once && has_turns(wait.mutex);
    if (has_token && !gives_it_up)
        return Progress::proceeds;
    auto& state = threads_[thread.index()];
    state.mutex = wait.mutex;
    state.waits_for = condition;
    if (has_mutex && objects_[wait.mutex.index()].holder == thread)
        unlock(wait.mutex);
    return has_token ? lock(thread, wait.mutex) : Progress::blocks;
}

Progress Operations::signal(ObjectId condition, TokenGrant grant) {
    auto& state = objects_[condition.index()];
    if (state.pairs) {
        for (std::uint32_t i = 0; i < grant.tokens; ++i) {
            if (give_unit(condition, grant.first + i))
                continue;
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
    bool const is_last = ++state.arrived >= barrier.participants;
    bool const has_turn = !barrier.mutex.is_none() && has_turns(barrier.mutex);
    if (is_last) {
        state.arrived = 0;
        while (!state.waiters.empty())
            leave_condition(state.waiters.pop(links_));
        if (!has_turn)
            return Progress::proceeds;
    }
    threads_[thread.index()].mutex = barrier.mutex;
    if (!barrier.mutex.is_none() && objects_[barrier.mutex.index()].holder == thread)
        unlock(barrier.mutex);
    if (is_last)
        return lock(thread, barrier.mutex);
    return wait_in(state.waiters, thread, barrier.condition);
}

Progress Operations::barrier_wait(ThreadId thread, ObjectId barrier, std::int64_t participants) {
    if (has_turns(barrier))
        return take_in_turn(thread, barrier, Want::arrival, participants);
    auto& state = objects_[barrier.index()];
    if (++state.arrived < participants)
        return wait_in(state.waiters, thread, barrier);
    state.arrived = 0;
    while (!state.waiters.empty())
        release(state.waiters.pop(links_), Release::What::resumes);
    return Progress::proceeds;
}

Progress Operations::semaphore_wait(ThreadId thread, ObjectId semaphore, std::int64_t value) {
    if (has_turns(semaphore))
        return take_in_turn(thread, semaphore, Want::unit);
    auto& state = objects_[semaphore.index()];
    if (state.units_pair) {
        auto const unit = *decode_number(value);
        if (unit < state.count || tokens_[semaphore.index()].take(unit, thread))
            return Progress::proceeds;
        threads_[thread.index()].waits_for = semaphore;
        return Progress::blocks;
    }
    if (state.count == 0)
        return wait_in(state.waiters, thread, semaphore);
    --state.count;
    return Progress::proceeds;
}

Progress Operations::semaphore_post(ObjectId semaphore, TokenGrant grant) {
    auto& state = objects_[semaphore.index()];
    std::int64_t units = grant.tokens;
    if (has_turns(semaphore)) {
        state.count += units;
        serve(semaphore);
        return Progress::proceeds;
    }
    if (state.units_pair) {
        auto const end = std::min(std::uint64_t{grant.first} + grant.tokens, std::uint64_t{state.units});
        for (auto unit = grant.first; unit < end; ++unit) {
            if (give_unit(semaphore, unit))
                continue;
            if (auto const waiter = tokens_[semaphore.index()].grant(unit); !waiter.is_none())
                release(waiter, Release::What::resumes);
        }
        return Progress::proceeds;
    }
    for (; units > 0 && !state.waiters.empty(); --units)
        release(state.waiters.pop(links_), Release::What::resumes);
    state.count += units;
    return Progress::proceeds;
}

}  // namespace parcast::semantics
