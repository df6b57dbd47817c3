// Locks of which the program would have taken another one, or at another time, where they are busy in the
// replay; its list does not say in which way. Those that the recording got by a try: pthread_mutex_trylock,
// std::scoped_lock and std::lock of several mutexes. And mutexes of many: which of them a thread takes, as of
// a graph's nodes, depends on what others have written.
//
// (1) A thread that took other locks in one breath before, with hardly any work in between, gives these back
//     and waits for the busy one. When that is its own, it takes them all if they are free; else it gives
//     back what it has, and waits for the one that is busy now. That is how std::lock goes round.
// (2) Any other thread waits with what it holds. Where somebody's waiting would close a cycle, the first
//     thread of it that tries gives back the lock through which the cycle goes, and goes on as in (1).
//
// (3) Where somebody's waiting to hold a lock alone would close a cycle with a mutex of many, he gives back
//     the lock through which it goes, and goes on as in (1). That is counted: the program itself may hang
//     there. Of many: of 64 or more without a name, in memory that was allocated, which a recorded program
//     used first at one place.
//
// So a cycle of locks in which a thread tries comes undone, and one with a mutex of many mostly does; those
// that are left are the program's own. A try
// that goes round needs no CPU time beyond that of the list.
//
// Why it ends: a lock that is part of a round is either free or has a holder that does not wait for another
// one of its own round. (2) and (3) add to a round one lock that its thread held, of which there are only so
// many.

#include <algorithm>

#include "semantics/operations.h"

namespace parcast::semantics {

namespace {

// Between two locks of std::lock lie some nanoseconds, and what the recorder's price is wrong by.
constexpr std::int64_t one_breath_ns = 1'000;
constexpr std::uint32_t many = 64;

bool locks_exclusively(OperationKind kind) {
    return kind == OperationKind::lock || kind == OperationKind::write_lock;
}

}  // namespace

void Operations::find_locks_of_many() {
    auto const& objects = program_.catalogue.objects;
    std::vector<std::uint32_t> mutexes(program_.catalogue.sites.size());
    auto const count_of = [&](Object const& object) -> std::uint32_t* {
        std::size_t const site = object.first_site.index();
        bool const may_be = object.kind == ObjectKind::mutex && object.name.empty() && site < mutexes.size();
        // A program that was written down does what it says.
        return may_be && !program_.catalogue.sites[site].module.empty() ? &mutexes[site] : nullptr;
    };
    for (Object const& object : objects)
        if (auto* const count = count_of(object))
            ++*count;
    for (std::size_t i = 0; i < std::min(objects.size(), objects_.size()); ++i) {
        auto const* const count = count_of(objects[i]);
        objects_[i].is_of_many = count != nullptr && *count >= many;
    }
    if (std::ranges::any_of(objects_, &ObjectState::is_of_many))
        rounds_.resize(threads_.size());
}

bool Operations::is_free(ObjectId lock) const {
    auto const& state = objects_[lock.index()];
    return state.holder.is_none() && state.shared_holders == 0;
}

Progress Operations::try_lock(ThreadId thread, ObjectId object, std::uint32_t number) {
    auto const& state = objects_[object.index()];
    bool const is_busy = !is_free(object) && state.holder != thread && !state.is_kernels;
    if (!is_busy || has_turns(object))
        return lock(thread, object);
    rounds_.resize(threads_.size());
    threads_[thread.index()].tries = true;
    auto const& list = program_.lists[thread.index()];
    for (auto i = number; i > 0 && list[i].work_ns <= one_breath_ns; --i) {
        auto const before = list[i - 1];
        if (!locks_exclusively(before.kind()) || objects_[before.object].holder != thread)
            break;
        give_up(thread, before.object_id(), object);
    }
    return lock(thread, object);
}

// The thread, which waits for `wanted`, or will, takes the lock again with it.
void Operations::give_up(ThreadId thread, ObjectId lock, ObjectId wanted) {
    auto& round = rounds_[thread.index()];
    if (round.empty())
        round.push_back({wanted, 1});
    round.push_back({lock, objects_[lock.index()].depth});
    give_back(lock);
}

void Operations::give_back(ObjectId lock) {
    objects_[lock.index()].depth = 1;
    unlock(lock);
}

// Who gets what somebody gives up may wait on, for what this thread has.
void Operations::open_cycles(ThreadId thread, ObjectId wanted, Want want) {
    while (has_rounds() && open_cycle(thread, wanted, want)) {
    }
}

// If the thread closes a cycle by waiting for the lock, and somebody in it tries, or one of its locks is of
// many, it is one no more. Whether there was one.
bool Operations::open_cycle(ThreadId thread, ObjectId wanted, Want want) {
    if (objects_[wanted.index()].holder == thread)
        return false;
    auto first = threads_[thread.index()].tries ? thread : ThreadId::none();
    auto given_up = ObjectId::none();
    auto next = wanted;
    auto of_many = objects_[wanted.index()].is_of_many ? wanted : ObjectId::none();
    for (std::size_t threads = 0; threads < threads_.size(); ++threads) {
        auto const holder = objects_[next.index()].holder;
        if (holder.is_none())
            return false;
        if (holder == thread) {
            if (first.is_none() && !of_many.is_none() && want == Want::exclusive) {
                first = thread;
                ++crossings_;
                crossed_lock_ = of_many;
            }
            if (first == thread)
                give_up(thread, next, wanted);
            else if (!first.is_none())
                give_up(first, given_up, threads_[first.index()].waits_for);
            return !first.is_none();
        }
        auto const& state = threads_[holder.index()];
        if (!state.queues)
            return false;
        if (first.is_none() && state.tries) {
            first = holder;
            given_up = next;
        }
        next = state.waits_for;
        if (objects_[next.index()].is_of_many)
            of_many = next;
    }
    return false;
}

// The thread has got one lock of its round: all, or none. REQUIRES: it is in no queue.
Progress Operations::take_rest(ThreadId thread, ObjectId taken) {
    threads_[thread.index()].queues = false;
    auto& round = rounds_[thread.index()];
    auto const busy = std::ranges::find_if(
        round, [&](OfRound const& each) { return each.lock != taken && !is_free(each.lock); });
    if (busy != round.end()) {
        auto const wanted = busy->lock;
        give_back(taken);
        return lock(thread, wanted);
    }
    for (auto const& [lock, depth] : round) {
        objects_[lock.index()].holder = thread;
        objects_[lock.index()].depth = depth;
    }
    round.clear();
    threads_[thread.index()].tries = false;
    return Progress::proceeds;
}

}  // namespace parcast::semantics
