#include "semantics/operations.h"

#include <algorithm>

#include "program/tried_lock.h"

namespace parcast::semantics {

Operations::Operations(ThreadProgram const& program, Locking locking, Pairing pairing)
    : program_(program),
      locking_(pairing == Pairing::ordered ? Locking::hand_off : locking),
      pairing_(pairing),
      objects_(program.objects.size()),
      threads_(program.lists.size()),
      links_(program.lists.size(), ThreadId::none()) {
    bool any_pairs = false;
    for (std::size_t object = 0; object < objects_.size(); ++object) {
        objects_[object].count = program.objects[object].initial_count;
        objects_[object].is_kernels = program.objects[object].kernel_lock == KernelLock::memory_map;
        objects_[object].pairs = pairing != Pairing::any || program.objects[object].pairs_as_recorded;
        any_pairs = any_pairs || objects_[object].pairs;
    }
    if (any_pairs)
        tokens_.resize(objects_.size());
    if (pairing != Pairing::any && pairing != Pairing::conditions)
        find_numbered_takes();
    if (pairing == Pairing::client_server)
        cuts_.emplace(program);
    if (pairing == Pairing::ordered)
        cursors_.resize(objects_.size());
    else
        find_locks_of_many();
}

// Semaphores and threads of which all units and activations are numbered.
void Operations::find_numbered_takes() {
    bool const units_pair = takes_at_once_as_recorded();
    for (auto& object : objects_)
        object.units_pair = units_pair;
    for (auto& thread : threads_)
        thread.pairs = true;
    for (std::size_t thread = 0; thread < threads_.size(); ++thread) {
        for (Operation const& operation : program_.lists[thread]) {
            auto const kind = operation.kind();
            bool const is_wait = kind == OperationKind::semaphore_wait;
            bool const meets = kind == OperationKind::activate || kind == OperationKind::accept;
            if (!is_wait && !meets)
                continue;
            auto const number = decode_number(operation.value);
            if (is_wait) {
                auto& object = objects_[operation.object];
                object.units_pair = object.units_pair && number;
                object.units = std::max(object.units, number.value_or(0) + 1);
            } else if (!number) {
                threads_[kind == OperationKind::accept ? thread : operation.object].pairs = false;
            }
        }
    }
    meetings_.resize(threads_.size());
}

Progress Operations::execute(ThreadId thread, Operation const& operation, std::uint32_t number) {
    if (retries(thread))
        return try_again(thread);
    auto const object = operation.object_id();
    auto const value = operation.value;
    switch (operation.kind()) {
        case OperationKind::work_only: return Progress::proceeds;
        case OperationKind::end: return cuts_ ? pick_part(thread) : end(thread);
        case OperationKind::create:
            release(operation.thread_id(), Release::What::begins);
            return Progress::proceeds;
        case OperationKind::join: return join(thread, operation.thread_id());
        case OperationKind::join_any:
            return comes_to_cut(thread, number) ? pick_part(thread) : join_any(thread, operation.thread_id());
        case OperationKind::lock:
        case OperationKind::write_lock:
            return value == by_a_try ? try_lock(thread, object, number) : lock(thread, object);
        case OperationKind::unlock: unlock(object); return Progress::proceeds;
        case OperationKind::read_lock: return lock_shared(thread, object);
        case OperationKind::read_write_unlock: unlock_shared(object); return Progress::proceeds;
        case OperationKind::condition_wait:
            return comes_to_cut(thread, number) ? pick_part(thread)
                                                : wait_for_token(thread, object, decode_wait(value));
        case OperationKind::condition_signal: return signal(object, decode_grant(value));
        case OperationKind::condition_barrier:
            return arrive(thread, program_.barriers[static_cast<std::size_t>(value)]);
        case OperationKind::barrier_wait: return barrier_wait(thread, object, value);
        case OperationKind::semaphore_wait:
            return comes_to_cut(thread, number) ? pick_part(thread) : semaphore_wait(thread, object, value);
        case OperationKind::semaphore_post: return semaphore_post(object, decode_grant(value));
        case OperationKind::delay:
        case OperationKind::input_output: return value > 0 ? Progress::delays : Progress::proceeds;
        case OperationKind::sleep_until: return Progress::delays;
        case OperationKind::yield: return Progress::yields;
        case OperationKind::set_affinity:
        case OperationKind::set_priority: return Progress::reschedules;
        case OperationKind::set_concurrency: return Progress::proceeds;
        case OperationKind::activate: return activate(thread, operation.thread_id(), value);
        case OperationKind::accept:
            return comes_to_cut(thread, number) ? pick_part(thread) : accept(thread, value);
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
    bool const pairs = pairing_ != Pairing::any && pairing_ != Pairing::conditions;
    if (pairs && !recorded.is_none())
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
    if (auto const cut = cuts_ ? cuts_->taker_of_end(thread) : CutLists::Cut(); !cut.is_none()) {
        state.joined = true;
        give(cut);
    }
    if (!state.joined && !any_joiners_.empty()) {
        state.joined = true;
        release(any_joiners_.pop(links_), Release::What::resumes);
    }
    if (!state.joined)
        unjoined_.push_back(thread);
    return Progress::ends;
}

Progress Operations::activate(ThreadId thread, ThreadId destination, std::int64_t value) {
    auto& receiver = threads_[destination.index()];
    if (receiver.pairs)
        return meet(thread, destination, *decode_number(value));
    if (!receiver.accepting)
        return wait_in(receiver.senders, thread, ObjectId::none());
    receiver.accepting = false;
    release(destination, Release::What::resumes);
    return Progress::proceeds;
}

Progress Operations::accept(ThreadId thread, std::int64_t value) {
    auto& state = threads_[thread.index()];
    if (state.pairs)
        return meet(thread, thread, *decode_number(value));
    if (state.senders.empty()) {
        state.accepting = true;
        state.waits_for = ObjectId::none();
        return Progress::blocks;
    }
    release(state.senders.pop(links_), Release::What::resumes);
    return Progress::proceeds;
}

// The thread comes to a meeting of `receiver`, which may be itself.
Progress Operations::meet(ThreadId thread, ThreadId receiver, std::uint32_t number) {
    auto& state = threads_[thread.index()];
    state.waits_for = ObjectId::none();
    if (cuts_ && thread != receiver) {
        auto const cut = cuts_->taker_of_activation(receiver, number);
        if (!cut.is_none() && give(cut))
            return Progress::proceeds;
    }
    auto const other = meetings_[receiver.index()].meet(number, thread);
    if (other.is_none())
        return Progress::blocks;
    release(other, Release::What::resumes);
    return Progress::proceeds;
}

// --- client-server

// The thread has come to a cut or to its end.
Progress Operations::pick_part(ThreadId thread) {
    if (cuts_->is_through(thread))
        return end(thread);
    auto& state = threads_[thread.index()];
    state.place = cuts_->comes(thread);
    auto const& list = program_.lists[thread.index()];
    if (state.place) {
        auto const wait = list[*state.place];
        if (wait.kind() == OperationKind::accept) {
            auto const sender = meetings_[thread.index()].leave(*decode_number(wait.value));
            if (!sender.is_none())
                release(sender, Release::What::resumes);
        } else if (wait.kind() == OperationKind::join_any)
            joined_ = wait.thread_id();
        return Progress::goes_on;
    }
    auto const wait = cuts_->wait_of(thread);
    bool const has_object = traits_of(wait.kind()).subject == Subject::object;
    state.waits_for = has_object ? wait.object_id() : ObjectId::none();
    bool const is_condition = wait.kind() == OperationKind::condition_wait;
    state.mutex = is_condition ? decode_wait(wait.value).mutex : ObjectId::none();
    if (!state.mutex.is_none() && objects_[state.mutex.index()].holder == thread)
        unlock(state.mutex);
    return Progress::blocks;
}

// Whether the thread of the cut goes on behind it; else it will.
bool Operations::give(CutLists::Cut cut) {
    if (!cuts_->give(cut))
        return false;
    threads_[cut.thread.index()].place = cut.place;
    if (program_.lists[cut.thread.index()][cut.place].kind() == OperationKind::condition_wait)
        leave_condition(cut.thread);
    else
        release(cut.thread, Release::What::resumes);
    return true;
}

// A unit or token that a part of a list begins with.
bool Operations::give_unit(ObjectId object, std::uint32_t number) {
    auto const cut = cuts_ ? cuts_->taker_of_unit(object, number) : CutLists::Cut();
    if (!cut.is_none())
        give(cut);
    return !cut.is_none();
}

}  // namespace parcast::semantics
