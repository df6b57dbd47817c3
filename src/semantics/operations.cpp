#include "semantics/operations.h"

namespace parcast::semantics {

Operations::Operations(ThreadProgram const& program, Locking locking, Pairing pairing)
    : program_(program),
      locking_(pairing == Pairing::ordered ? Locking::hand_off : locking),
      objects_(program.objects.size()),
      threads_(program.lists.size()),
      links_(program.lists.size(), ThreadId::none()) {
    bool any_pairs = false;
    for (std::size_t object = 0; object < objects_.size(); ++object) {
        objects_[object].count = program.objects[object].initial_count;
        objects_[object].pairs = pairing != Pairing::any || program.objects[object].pairs_as_recorded;
        any_pairs = any_pairs || objects_[object].pairs;
    }
    if (any_pairs)
        tokens_.resize(objects_.size());
    if (pairing == Pairing::ordered)
        cursors_.resize(objects_.size());
}

Progress Operations::execute(ThreadId thread, Operation const& operation) {
    if (retries(thread))
        return try_again(thread);
    auto const object = operation.object_id();
    auto const value = operation.value;
    switch (operation.kind()) {
        case OperationKind::work_only: return Progress::proceeds;
        case OperationKind::end: return end(thread);
        case OperationKind::create:
            release(operation.thread_id(), Release::What::begins);
            return Progress::proceeds;
        case OperationKind::join: return join(thread, operation.thread_id());
        case OperationKind::join_any: return join_any(thread, operation.thread_id());
        case OperationKind::lock:
        case OperationKind::write_lock: return lock(thread, object);
        case OperationKind::unlock: unlock(object); return Progress::proceeds;
        case OperationKind::read_lock: return lock_shared(thread, object);
        case OperationKind::read_write_unlock: unlock_shared(object); return Progress::proceeds;
        case OperationKind::condition_wait: return wait_for_token(thread, object, decode_wait(value));
        case OperationKind::condition_signal: return signal(object, decode_grant(value));
        case OperationKind::condition_barrier:
            return arrive(thread, program_.barriers[static_cast<std::size_t>(value)]);
        case OperationKind::barrier_wait: return barrier_wait(thread, object, value);
        case OperationKind::semaphore_wait: return semaphore_wait(thread, object);
        case OperationKind::semaphore_post: return semaphore_post(object, value);
        case OperationKind::delay:
        case OperationKind::input_output: return value > 0 ? Progress::delays : Progress::proceeds;
        case OperationKind::yield: return Progress::yields;
        case OperationKind::set_affinity:
        case OperationKind::set_priority: return Progress::reschedules;
        case OperationKind::activate: return activate(thread, operation.thread_id());
        case OperationKind::accept: return accept(thread);
    }
    return Progress::proceeds;
}

Progress Operations::wait_in(WaitQueue& queue, ThreadId thread, ObjectId object) {
    queue.push(links_, thread);
    threads_[thread.index()].waits_for = object;
    return Progress::blocks;
}

Progress Operations::join(ThreadId thread, ThreadId awaited) {
    auto& target = threads_[awaited.index()];
    if (!target.ended)
        return wait_in(target.joiners, thread, ObjectId::none());
    target.joined = true;
    joined_ = awaited;
    return Progress::proceeds;
}

Progress Operations::join_any(ThreadId thread, ThreadId recorded) {
    if (!cursors_.empty() && !recorded.is_none())
        return join(thread, recorded);
    while (!unjoined_.empty()) {
        auto const oldest = unjoined_.front();
        unjoined_.pop_front();
        if (!threads_[oldest.index()].joined)
            return join(thread, oldest);
    }
    return wait_in(any_joiners_, thread, ObjectId::none());
}

Progress Operations::end(ThreadId thread) {
    auto& state = threads_[thread.index()];
    state.ended = true;
    state.joined = !state.joiners.empty();
    while (!state.joiners.empty())
        release(state.joiners.pop(links_), Release::What::resumes);
    if (!state.joined && !any_joiners_.empty()) {
        state.joined = true;
        release(any_joiners_.pop(links_), Release::What::resumes);
    }
    if (!state.joined)
        unjoined_.push_back(thread);
    return Progress::ends;
}

Progress Operations::activate(ThreadId thread, ThreadId destination) {
    auto& receiver = threads_[destination.index()];
    if (!receiver.accepting)
        return wait_in(receiver.senders, thread, ObjectId::none());
    receiver.accepting = false;
    release(destination, Release::What::resumes);
    return Progress::proceeds;
}

Progress Operations::accept(ThreadId thread) {
    auto& state = threads_[thread.index()];
    if (state.senders.empty()) {
        state.accepting = true;
        state.waits_for = ObjectId::none();
        return Progress::blocks;
    }
    release(state.senders.pop(links_), Release::What::resumes);
    return Progress::proceeds;
}

}  // namespace parcast::semantics
