// The interpreter of thread operations: what they do to locks, conditions, semaphores, barriers and threads.
// After each it is known who goes on, who waits for what and who is released; neither time nor processors
// are. A replay calls `execute` when a thread has done the work before its next operation.
//
// Rules that a reader may wonder about:
// (1) Waiting is first in, first out. Readers are preferred to writers, as glibc does by default. The
//     kernel's lock on the memory map has rules of its own: operations_on_memory_map.cpp.
// (2) A lock that its holder takes again is counted (recursive mutexes); unlocking a free lock does nothing,
//     since a recording may begin inside a critical section. Another thread than the holder may unlock.
// (3) Under hand_off an unlock gives the lock to the first waiter. Under barging it frees the lock and
//     makes the first waiter runnable; that one tries again when it runs, and queues anew if it comes too
//     late. Semaphores, conditions and barriers always hand over. Under `ignored` nobody takes the mutex of
//     a condition again.
// (4) A wait on a condition that holds a token takes it and keeps the mutex. Otherwise it releases the
//     mutex, if this thread holds it, and takes it again after the token. Which token: Pairing, and
//     ObjectParameters::pairs_as_recorded. Where the number of a unit or an activation that the recording
//     gave is missing, its semaphore or thread gives any, under every model.
// (5) Under Pairing::ordered, whoever takes an object that has turns waits until it is its turn, and nobody
//     else gets it before; a wait on a condition always gives up the mutex, whose next turn it may be. No
//     program of a recording deadlocks then: of all threads that could not go on, consider the one whose
//     operation ended first in the recording. Whatever it waits for happened before that, in a thread that
//     got as far.
// (6) Under Pairing::client_server a thread may go on elsewhere in its list: CutLists.
// (7) Nobody is stuck at a mutex, or at a lock to write, that the recording got by a try, while others want
//     what he holds; nor where a mutex of the circle is one of many: operations_on_tried_locks.cpp.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/id.h"
#include "program/thread_program.h"
#include "semantics/cut_lists.h"
#include "semantics/token_table.h"
#include "semantics/wait_queue.h"

namespace parcast::semantics {

// How a lock finds its next holder.
enum class Locking : std::uint8_t { hand_off, barging, ignored };

// What a wait takes: a token of a condition, a unit of a semaphore, an activation, or the end of any thread
// (Broberg 2002, paper VIII).
enum class Pairing : std::uint8_t {
    any,            // the oldest there is, but for conditions that pair as recorded: the Direct model
    recorded,       // what it took in the recording: the Strict model, which hardly ever deadlocks, but keeps
                    // more of the recording's order than the program may need
    ordered,        // as `conditions`, and locks, semaphores and barriers are taken in the recorded order:
                    // the last resort, which cannot deadlock (rule 5)
    client_server,  // what it took in the recording, in the order in which that comes
    conditions,     // as `recorded`, but only of conditions that the recording waited for: for extraction
};

// The models that a replay follows, in the order of Pairing.
inline constexpr auto models = std::to_array<char const*>({"direct", "strict", "ordered", "client-server"});
constexpr char const* name_of(Pairing pairing) {
    return models[static_cast<std::size_t>(pairing)];
}

enum class Progress : std::uint8_t {
    proceeds,     // the operation is complete
    goes_on,      // so is the wait at place(thread), which was executed in its stead
    blocks,       // the thread waits for waits_for(thread), or for a thread
    delays,       // the thread leaves its processor for the operation's value, ns; a sleep_until: for what
                  // is left of it, if anything is
    yields,       // complete; others may run first
    reschedules,  // complete; its affinity or priority changed
    ends,
};

// Something that an operation did to another thread.
struct Release {
    enum class What : std::uint8_t {
        begins,    // a new thread
        resumes,   // its operation is complete
        retries,   // it has to try again to take waits_for(thread) when it runs (barging)
        requeues,  // it goes on waiting, now for waits_for(thread)
    };
    ThreadId thread;
    What what;
};

class Operations {
public:
    // REQUIRES: check(program) holds; the program outlives this, and does not change.
    Operations(ThreadProgram const& program, Locking locking, Pairing pairing);

    // Executes the operation, or tries again what the thread was released for. Releases are appended to
    // `releases()`, in order; the caller clears them. `number`: its place in the thread's list. REQUIRES: if
    // locks are ignored, it is none of theirs.
    Progress execute(ThreadId thread, Operation const& operation, std::uint32_t number);
    std::vector<Release>& releases() { return releases_; }

    // The object that a blocked thread waits for; none if it waits for a thread.
    ObjectId waits_for(ThreadId thread) const { return threads_[thread.index()].waits_for; }
    bool retries(ThreadId thread) const { return threads_[thread.index()].retry != Retry::nothing; }
    // Whether threads may go on elsewhere than behind what they waited in: at `place`, which is then taken.
    bool jumps() const { return cuts_.has_value(); }
    std::optional<std::uint32_t> take_place(ThreadId thread) {
        return std::exchange(threads_[thread.index()].place, std::nullopt);
    }
    // What a blocked thread waits in, which has come to this operation.
    Operation wait_of(ThreadId thread, Operation const& operation) const {
        return cuts_ && cuts_->is_waiting(thread) ? cuts_->wait_of(thread) : operation;
    }
    // Whose end the last join saw that did not have to wait.
    ThreadId joined() const { return joined_; }
    // Who holds a lock exclusively.
    ThreadId holder(ObjectId object) const { return objects_[object.index()].holder; }
    // Circles of mutexes of many that came undone, and one of these mutexes.
    std::uint32_t crossings() const { return crossings_; }
    ObjectId crossed_lock() const { return crossed_lock_; }

private:
    enum class Retry : std::uint8_t { nothing, exclusive, shared };
    // What a thread waits for until it is its turn.
    enum class Want : std::uint8_t { nothing, exclusive, shared, unit, arrival };

    struct ObjectState {
        WaitQueue waiters;
        WaitQueue readers;  // waiters for shared access
        ThreadId holder = ThreadId::none();
        std::uint32_t depth = 0;  // how often the holder took it
        std::uint32_t shared_holders = 0;
        std::int64_t count = 0;    // semaphore: units; condition: tokens
        std::int64_t arrived = 0;  // barrier
        bool is_kernels = false;   // lock: the memory map
        bool is_of_many = false;   // mutex: which one a thread takes, depends on data
        bool pairs = false;        // condition: each wait takes the token that it took in the recording
        bool units_pair = false;   // semaphore: so does each wait for a unit
        std::uint32_t units = 0;   // that somebody takes then, and those with lower numbers
    };

    struct ThreadState {
        ObjectId waits_for = ObjectId::none();
        Retry retry = Retry::nothing;
        Want want = Want::nothing;
        bool faults = false;  // it waits for the memory map, to share it
        bool queues = false;  // it waits for a lock, and nobody has told it to try again
        bool tries = false;   // the recording got by a try what it waits for
        bool ended = false;
        bool joined = false;
        bool accepting = false;
        WaitQueue joiners;
        WaitQueue senders;
        bool pairs = false;                  // it accepts the activations that it accepted in the recording
        ObjectId mutex = ObjectId::none();   // to be taken again after a condition
        std::optional<std::uint32_t> place;  // of the wait behind which it goes on
    };

    // A lock of a thread that gave it back, or waits for it meanwhile, and how often the thread held it.
    struct OfRound {
        ObjectId lock;
        std::uint32_t depth;
    };

    // How far the turns of an object have come.
    struct TurnCursor {
        std::size_t turn = 0;
        std::uint32_t takes = 0;  // of this turn
    };

    Progress wait_in(WaitQueue& queue, ThreadId thread, ObjectId object);
    void release(ThreadId thread, Release::What what) {
        threads_[thread.index()].queues = what == Release::What::requeues;
        releases_.push_back({thread, what});
    }

    bool has_turns(ObjectId object) const {
        return !cursors_.empty() && !program_.objects[object.index()].turns.empty();
    }
    Progress take_in_turn(ThreadId thread, ObjectId object, Want want, std::int64_t participants = 0);
    void serve(ObjectId object, std::int64_t participants = 0);
    bool gets(ThreadId thread, ObjectState& object, Want want) const;
    void arrives(ThreadId thread, ObjectState& barrier, std::int64_t participants);

    bool take_exclusive(ObjectState& object, ThreadId thread) const;
    Progress lock(ThreadId thread, ObjectId object);
    Progress lock_shared(ThreadId thread, ObjectId object);
    Progress queue_for_lock(WaitQueue& queue, ThreadId thread, ObjectId object);
    Progress try_again(ThreadId thread);
    void unlock(ObjectId object);
    void unlock_shared(ObjectId object);
    void pass_on(ObjectId object);
    void pass_to_writer(ObjectState& object);
    void pass_to_readers(ObjectState& object);
    void admit_readers(ObjectState& object);

    Progress change_map(ThreadId thread, ObjectId object);
    Progress fault(ThreadId thread, ObjectId object);
    Progress wait_for_map(ThreadId thread, ObjectId object, bool faults);
    void pass_on_map(ObjectState& map);
    void admit_faults(ObjectState& map);

    Progress try_lock(ThreadId thread, ObjectId object, std::uint32_t number);
    bool is_free(ObjectId lock) const;
    bool has_rounds() const { return !rounds_.empty(); }
    void give_up(ThreadId thread, ObjectId lock, ObjectId wanted);
    void give_back(ObjectId lock);
    bool open_cycle(ThreadId thread, ObjectId wanted, Want want);
    void open_cycles(ThreadId thread, ObjectId wanted, Want want);
    Progress take_rest(ThreadId thread, ObjectId taken);

    void find_locks_of_many();
    void find_numbered_takes();
    bool comes_to_cut(ThreadId thread, std::uint32_t number) const {
        return cuts_ && cuts_->is_cut(thread, number);
    }
    Progress pick_part(ThreadId thread);
    bool give(CutLists::Cut cut);
    bool give_unit(ObjectId object, std::uint32_t number);

    Progress wait_for_token(ThreadId thread, ObjectId condition, TokenWait wait);
    bool take_token(ThreadId thread, ObjectId condition, TokenWait wait);
    Progress signal(ObjectId condition, TokenGrant grant);
    void leave_condition(ThreadId thread);
    Progress arrive(ThreadId thread, ConditionBarrier const& barrier);
    Progress barrier_wait(ThreadId thread, ObjectId barrier, std::int64_t participants);
    Progress semaphore_wait(ThreadId thread, ObjectId semaphore, std::int64_t value);
    Progress semaphore_post(ObjectId semaphore, TokenGrant grant);

    Progress join(ThreadId thread, ThreadId awaited);
    Progress join_any(ThreadId thread, ThreadId recorded);
    Progress end(ThreadId thread);
    Progress activate(ThreadId thread, ThreadId destination, std::int64_t value);
    Progress accept(ThreadId thread, std::int64_t value);
    Progress meet(ThreadId thread, ThreadId receiver, std::uint32_t number);
    bool takes_at_once_as_recorded() const {
        return pairing_ == Pairing::recorded || pairing_ == Pairing::client_server;
    }

    ThreadProgram const& program_;  // the caller's, for the life of the run
    Locking locking_;
    Pairing pairing_;
    std::vector<ObjectState> objects_;
    std::vector<ThreadState> threads_;
    std::vector<TokenTable> tokens_;    // by object; empty if none pairs
    std::vector<TokenTable> meetings_;  // by thread that accepts; empty if none pairs
    std::optional<CutLists> cuts_;      // client-server only
    std::vector<TurnCursor> cursors_;   // by object; empty unless everything is ordered
    // By thread: the locks that it wants at once, and none of which it has until then. Empty until a try has
    // found its lock busy, if no mutex is one of many.
    std::vector<std::vector<OfRound>> rounds_;
    std::uint32_t crossings_ = 0;
    ObjectId crossed_lock_ = ObjectId::none();
    WaitLinks links_;
    ThreadId joined_ = ThreadId::none();
    WaitQueue any_joiners_;
    std::deque<ThreadId> unjoined_;  // ended, in order; may hold threads that were joined since
    std::vector<Release> releases_;
};

}  // namespace parcast::semantics
