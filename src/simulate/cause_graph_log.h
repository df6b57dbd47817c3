// Follows an unbounded run and notes what let whom go on (timeline/cause_graph.h). What a wait takes without
// waiting is matched as the interpreter of operations does: the oldest unit or token first.
//
// A lock that was free, a unit or token that was there, an unlock, post or signal for which nobody waited,
// and a signal after which its waiters still wait for the mutex, hold nobody up: such an event has one cause,
// the thread's own, and is put into the graph only if another thread takes the lock, the unit or the token,
// or has its mutex, at the same instant; all of one thread and instant as one. The weights stay the same
// (analysis/extended_critical_path.h: the event changes neither who runs nor who goes on), and a recording of
// uncontended locks has a graph of a few events.

#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "core/id.h"
#include "program/thread_program.h"
#include "semantics/operations.h"
#include "timeline/cause_graph.h"

namespace parcast::simulate {

class CauseGraphLog {
public:
    explicit CauseGraphLog(ThreadProgram const& program);

    // `thread` has come to its operation `number` and executed it.
    void executed(ThreadId thread, std::uint32_t number, Operation const& operation,
                  semantics::Progress progress, std::span<semantics::Release const> releases, ThreadId joined,
                  std::int64_t now);
    // Its delay is over.
    void resumes(ThreadId thread, std::uint32_t number, std::int64_t now);

    // The graph; the run is over.
    CauseGraph finish(std::int64_t completion);

private:
    static constexpr EventNumber none = 0xffffffff;

    // The end of the work before an operation, in the graph or not yet.
    struct Mark {
        std::int64_t when = -1;
        ThreadId thread;
        std::uint32_t operation = 0;
        EventNumber event = none;  // none: not yet
    };
    // What was given and not taken yet.
    struct Given {
        Mark by;
        std::int64_t left;
    };
    struct ObjectLog {
        std::vector<Mark> released;        // by whom the lock was released last
        std::vector<EventNumber> arrived;  // at the barrier
        std::deque<Given> units;           // of a semaphore, or tokens of a condition
    };

    using What = CausedEvent::What;

    EventNumber add(ThreadId thread, std::uint32_t number, std::int64_t now, What what);
    void goes_on(ThreadId thread, std::uint32_t number, std::int64_t now);
    bool holds_nobody_up(ThreadId thread, Operation const& operation, semantics::Progress progress,
                         std::span<semantics::Release const> releases, std::int64_t now);
    void defer(ThreadId thread, std::uint32_t number, Operation const& operation,
               std::span<semantics::Release const> releases, std::int64_t now);
    EventNumber event_of(Mark const& mark);
    void add_deferred(ThreadId thread, std::int64_t now);
    void are_deferred(ThreadId thread, std::int64_t now, EventNumber event);
    void cause(EventNumber event, std::int64_t now);
    void causes(std::span<EventNumber const> events, std::int64_t now);
    void causes(std::span<Mark const> marks, std::int64_t now);
    static void take_oldest(std::deque<Given>& units);
    void takes(ObjectLog& object, std::int64_t now);
    void takes_without_waiting(ThreadId joined, Operation const& operation,
                               std::span<semantics::Release const> releases, std::int64_t now);
    void gives(Mark const& mark, Operation const& operation, std::span<semantics::Release const> releases);
    void releases_lock(ObjectId lock, Mark const& mark, bool is_shared);
    void let_go(semantics::Release const& release, std::int64_t now);
    void add_requeueing(ThreadId thread, std::int64_t now);
    ObjectLog& log_of(Operation const& operation) { return objects_[object_of(program_, operation).index()]; }

    struct ThreadLog {
        EventNumber latest = none;          // in the graph
        std::int64_t deferred_at = -1;      // the instant of:
        std::vector<Mark> deferred;         // what comes after it
        std::size_t added = 0;              // so many of these are in the graph by now
        Mark requeued;                      // by what it waits for its mutex only; not in the graph yet
        EventNumber slept = none;           // the end of its last sleep
        std::uint32_t operation = 0;        // that it waits in
        ObjectId mutex = ObjectId::none();  // that it takes again after it
    };

    ThreadProgram const& program_;  // the caller's, for the life of the run
    CauseGraph graph_;
    std::vector<ThreadLog> threads_;
    std::vector<ObjectLog> objects_;
    std::vector<EventNumber> ended_;   // the ends of threads, latest last
    std::vector<EventNumber> causes_;  // of the next event
    std::vector<EventNumber> givers_;  // what lets others go on in this operation
};

}  // namespace parcast::simulate
